// A field above each long table, which leaves the rows that have all of its words.
for (const table of document.querySelectorAll("table.docutils")) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < 15) continue;

  const field = document.createElement("input");
  field.type = "search";
  field.className = "table-filter";
  field.placeholder = "Filter: words of a row";
  field.setAttribute("aria-label", "Filter the rows of the table below");
  const count = document.createElement("span");
  count.className = "table-filter-count";
  count.setAttribute("role", "status");

  const texts = rows.map((row) => row.textContent.toLowerCase());
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows.forEach((row, i) => { row.hidden = !words.every((word) => texts[i].includes(word)); });
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  };
  field.addEventListener("input", show);
  show();

  const place = table.closest(".table-wrapper") ?? table;
  const bar = document.createElement("p");
  bar.append(field, " ", count);
  place.before(bar);
}
