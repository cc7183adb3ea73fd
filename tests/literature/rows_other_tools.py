"""Programs that other tools are tried on, as far as no other family has them."""

from literature import sources as s
from literature.row import NOT_PRIVATE, Row

_PEERS = "tests/finding/peer_mechanisms.py"

ROWS = (
    Row("laplace_answer", f"{s.DPSNIPER}, LaplaceMechanism", "eps"),
    Row("laplace_20_times", f"{s.DPSNIPER}, LaplaceParallel", "20 * eps",
        program="tests/finding/test_peers.py::noisy_answer_20_times_phi"),
    Row("adaptive_sparse_vector_with_tags", f"{s.CHECKDP}, adaptivesparsevector", "eps",
        rewrite="a tag says which test was passed"),
    Row("adaptive_sparse_vector_with_answer", f"{s.CHECKDP}, badadaptivesparsevector", "eps", NOT_PRIVATE,
        program=f"{_PEERS}::adaptive_sparse_vector_with_answer", fixed=(("k", 1),), effort=20_000),
    Row("sparse_vector_with_answer", f"{s.CHECKDP}, badgapsparsevector", "eps", NOT_PRIVATE,
        program="mechanisms/sparse_vector_broken.py::sparse_vector_with_answer"),
    Row("unbounded_sparse_vector", f"{s.STATDP}, iSVT2", "eps", NOT_PRIVATE,
        program=f"{_PEERS}::unbounded_sparse_vector"),
    Row("noisy_max_exponential_with_maximum", f"{s.STATDP}, noisy_max_v2b", "eps", NOT_PRIVATE,
        program=f"{_PEERS}::noisy_maximum_exponential"),
    Row("sparse_vector_with_a_wide_threshold", f"{s.AUDITORIUM}, SVT2", "eps"),
    Row("two_sparse_vectors_in_parallel", f"{s.DPSNIPER}, SVT34Parallel", "2 * eps", NOT_PRIVATE,
        program=f"{_PEERS}::two_sparse_vectors"),
)
