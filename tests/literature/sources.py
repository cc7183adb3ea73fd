"""The papers that the rows cite."""

ACHARYA = (
    "Acharya, Sun and Zhang, Differentially Private Testing of Identity and Closeness of Discrete Distributions,"
    " NeurIPS 2018"
)
AHP = "Zhang, Chen, Xu, Meng and Xie, Towards Accurate Histogram Publication under Differential Privacy, SDM 2014"
ALABI = "Alabi, McMillan, Sarathy, Smith and Vadhan, Differentially Private Simple Linear Regression, PoPETs 2022"
AMIN = "Amin, Kulesza, Muñoz Medina and Vassilvitskii, Bounding User Contributions, ICML 2019"
ANDREW = (
    "Andrew, Thakkar, McMahan and Ramaswamy, Differentially Private Learning with Adaptive Clipping, NeurIPS 2021"
)
AUDITORIUM = "Kong, Muñoz Medina and Ribero, DP-Auditorium, 2023 (github.com/google/differential-privacy)"
AUMULLER = (
    "Aumüller, Bourgeat and Schmurr, Differentially Private Sketches for Jaccard Similarity Estimation, SISAP 2020"
)
AWAN = "Awan and Slavković, Differentially Private Uniformly Most Powerful Tests for Binomial Data, NeurIPS 2018"
BALCER = "Balcer and Vadhan, Differential Privacy on Finite Computers, ITCS 2018"
BARAK = "Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar, Privacy, Accuracy, and Consistency Too, PODS 2007"
BHASKAR = "Bhaskar, Laxman, Smith and Thakurta, Discovering Frequent Patterns in Sensitive Data, KDD 2010"
BLIP = "Alaggan, Gambs and Kermarrec, BLIP: Non-Interactive Differentially-Private Similarity Computation, SSS 2012"
BLOWFISH = "He, Machanavajjhala and Ding, Blowfish Privacy, SIGMOD 2014"
BLR = "Blum, Ligett and Roth, A Learning Theory Approach to Noninteractive Database Privacy, STOC 2008"
BLUM = "Blum, Dwork, McSherry and Nissim, Practical Privacy: The SuLQ Framework, PODS 2005"
BOLOT = "Bolot, Fawaz, Muthukrishnan, Nikolov and Taft, Private Decayed Predicate Sums on Streams, ICDT 2013"
BORDA = "Hay, Elagina and Miklau, Differentially Private Rank Aggregation, SDM 2017"
BUN = "Bun, Nissim, Stemmer and Vadhan, Differentially Private Release and Learning of Threshold Functions, FOCS 2015"
BUN_SELECTION = "Bun, Kamath, Steinke and Wu, Private Hypothesis Selection, NeurIPS 2019"
CANONNE = (
    "Canonne, Kamath, McMillan, Smith and Ullman, The Structure of Optimal Private Tests for Simple Hypotheses,"
    " STOC 2019"
)
CASACUBERTA = (
    "Casacuberta, Shoemate, Vadhan and Wagaman, Widespread Underestimation of Sensitivity in Differentially Private"
    " Libraries and How to Fix It, CCS 2022"
)
CENSUS = "Abowd, Ashmead, Garfinkel, Kifer, Leclerc, Machanavajjhala, Moran and Sexton, Census TopDown, 2019"
CHAN = "Chan, Shi and Song, Private and Continual Release of Statistics, ICALP 2010"
CHATZIKOKOLAKIS = (
    "Chatzikokolakis, Palamidessi and Stronati, A Predictive Differentially-Private Mechanism for Mobility Traces,"
    " PETS 2014"
)
CHAUDHURI = "Chaudhuri, Monteleoni and Sarwate, Differentially Private Empirical Risk Minimization, JMLR 2011"
CHECKDP = "Wang, Ding, Kifer and Zhang, CheckDP, CCS 2020"
COMPRESSIVE = "Li, Zhang, Winslett and Yang, Compressive Mechanism, WPES 2011"
CORMODE = "Cormode, Procopiuc, Srivastava, Shen and Yu, Differentially Private Spatial Decompositions, ICDE 2012"
COUCH = "Couch, Kazan, Shi, Bray and Groce, Differentially Private Nonparametric Hypothesis Testing, CCS 2019"
CUMMINGS = "Cummings, Krehbiel, Mei, Tuo and Zhang, Differentially Private Change-Point Detection, NeurIPS 2018"
DMNS = "Dwork, McSherry, Nissim and Smith, Calibrating Noise to Sensitivity in Private Data Analysis, TCC 2006"
DNPR = "Dwork, Naor, Pitassi and Rothblum, Differential Privacy under Continual Observation, STOC 2010"
DNRR = (
    "Dwork, Naor, Reingold and Rothblum, Pure Differential Privacy for Rectangle Queries via Private Partitions,"
    " ASIACRYPT 2015"
)
DPCUBE = "Xiao, Xiong, Fan, Goryczka and Li, DPCube, Transactions on Data Privacy 2014"
DPSNIPER = "Bichsel, Steffen, Bogunovic and Vechev, DP-Sniper, IEEE S&P 2021"
DP_SYNC = "Wang, Bater, Nayak and Machanavajjhala, DP-Sync, SIGMOD 2021"
DRECHSLER = (
    "Drechsler, Globus-Harris, McMillan, Sarathy and Smith, Nonparametric Differentially Private Confidence Intervals"
    " for the Median, JSSAM 2022"
)
DUAL_QUERY = "Gaboardi, Gallego Arias, Hsu, Roth and Wu, Dual Query: Practical Private Query Release, ICML 2014"
DUCHI = "Duchi, Jordan and Wainwright, Local Privacy and Statistical Minimax Rates, FOCS 2013"
DURFEE = "Durfee and Rogers, Practical Differentially Private Top-k Selection with Pay-what-you-get, NeurIPS 2019"
DURFEE_QUANTILE = "Durfee, Unbounded Differentially Private Quantile and Maximum Estimation, NeurIPS 2023"
DWORK_LEI = "Dwork and Lei, Differential Privacy and Robust Statistics, STOC 2009"
DWORK_ROTH = "Dwork and Roth, The Algorithmic Foundations of Differential Privacy, 2014"
ELDERS = "Andersson, Pagh and Torkamani, Count on Your Elders: Laplace vs Gaussian Noise, 2024"
ESFANDIARI = (
    "Esfandiari, Mirrokni, Syed and Vassilvitskii, Label Differential Privacy via Clustering, AISTATS 2022"
)
FAN = "Fan and Xiong, Real-Time Aggregate Monitoring with Differential Privacy, CIKM 2012"
FRIEDMAN = "Friedman and Schuster, Data Mining with Differential Privacy, KDD 2010"
FREE_GAP = "Ding, Wang, Zhang and Kifer, Free Gap Information from the Sparse Vector and Noisy Max, PVLDB 2019"
FUNCTIONAL = "Zhang, Zhang, Xiao, Yang and Winslett, Functional Mechanism, PVLDB 2012"
GABOARDI = "Gaboardi, Lim, Rogers and Vadhan, Differentially Private Chi-Squared Hypothesis Testing, ICML 2016"
GENG_APPROXIMATE = "Geng and Viswanath, Optimal Noise Adding Mechanisms for Approximate Differential Privacy, 2016"
GENG_STAIRCASE = "Geng, Kairouz, Oh and Viswanath, The Staircase Mechanism in Differential Privacy, IEEE JSTSP 2015"
GENG_TRUNCATED = "Geng, Ding, Guo and Kumar, Tight Analysis of Privacy and Utility Tradeoff, AISTATS 2020"
GENG = "Geng and Viswanath, The Optimal Mechanism in Differential Privacy, ISIT 2014"
GHAZI = "Ghazi, Golowich, Kumar, Manurangsi and Zhang, Deep Learning with Label Differential Privacy, NeurIPS 2021"
GHOSH = "Ghosh, Roughgarden and Sundararajan, Universally Utility-Maximizing Privacy Mechanisms, STOC 2009"
HARDT_LADDER = "Hardt, Climbing a Shaky Ladder: Better Adaptive Risk Estimation, 2017"
HARDT_MWEM = "Hardt, Ligett and McSherry, A Simple and Practical Algorithm for Private Data Release, NIPS 2012"
HARDT_ROTHBLUM = (
    "Hardt and Rothblum, A Multiplicative Weights Mechanism for Privacy-Preserving Data Analysis, FOCS 2010"
)
HAY = "Hay, Rastogi, Miklau and Suciu, Boosting the Accuracy of Differentially Private Histograms, PVLDB 2010"
HAY_DEGREES = (
    "Hay, Li, Miklau and Jensen, Accurate Estimation of the Degree Distribution of Private Networks, ICDM 2009"
)
HENZINGER = (
    "Henzinger, Sricharan and Steiner, Differentially Private Data Structures under Continual Observation for"
    " Histograms and Related Queries, 2023"
)
HUANG = "Huang, Mitra and Dullerud, Differentially Private Iterative Synchronous Consensus, WPES 2012"
IMOLA = (
    "Imola, Murakami and Chaudhuri, Locally Differentially Private Analysis of Graph Statistics, USENIX Security"
    " 2021"
)
JAGANNATHAN = (
    "Jagannathan, Pillaipakkamnatt and Wright, A Practical Differentially Private Random Decision Tree Classifier,"
    " Transactions on Data Privacy 2012"
)
JAIN = (
    "Jain, Raskhodnikova, Sivakumar and Smith, The Price of Differential Privacy under Continual Observation, ICML 2023"
)
KAIROUZ = "Kairouz, Bonawitz and Ramage, Discrete Distribution Estimation under Local Privacy, ICML 2016"
KAPLAN = "Kaplan, Schnapp and Stemmer, Differentially Private Approximate Quantiles, ICML 2022"
KARWA = "Karwa and Vadhan, Finite Sample Differentially Private Confidence Intervals, ITCS 2018"
KASIVISWANATHAN = (
    "Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith, What Can We Learn Privately?, FOCS 2008"
)
KAZAN = "Kazan, Shi, Groce and Bray, The Test of Tests, ICML 2023"
KELLARIS = "Kellaris, Papadopoulos, Xiao and Papadias, Differentially Private Event Sequences, PVLDB 2014"
KOROLOVA = "Korolova, Kenthapadi, Mishra and Ntoulas, Releasing Search Queries and Clicks Privately, WWW 2009"
LEBEDA = "Lebeda and Tětek, Better Differentially Private Approximate Histograms and Heavy Hitters, PODS 2023"
LEI = "Lei, Differentially Private M-Estimators, NIPS 2011"
LIGETT = "Ligett, Neel, Roth, Waggoner and Wu, Accuracy First, NIPS 2017"
LIU = "Liu, Hu, Ding and Kong, Online Local Differential Private Quantile Inference, ICML 2023"
LI_THEORY = "Li, Lyu, Su and Yang, Differential Privacy: From Theory to Practice, 2016"
LYU = "Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential Privacy, PVLDB 2017"
MATRIX = "Li, Hay, Rastogi, Miklau and McGregor, Optimizing Linear Counting Queries, PODS 2010"
MCKENNA = "McKenna and Sheldon, Permute-and-Flip, NeurIPS 2020"
MCSHERRY = "McSherry, Privacy Integrated Queries, SIGMOD 2009"
MCSHERRY_MIRONOV = "McSherry and Mironov, Differentially Private Recommender Systems, KDD 2009"
MELIS = "Melis, Danezis and De Cristofaro, Efficient Private Statistics with Succinct Sketches, NDSS 2016"
MIRONOV = "Mironov, On Significance of the Least Significant Bits for Differential Privacy, CCS 2012"
MITROVIC = "Mitrovic, Bun, Krause and Karbasi, Differentially Private Submodular Maximization, ICML 2017"
NISSIM = "Nissim, Raskhodnikova and Smith, Smooth Sensitivity and Sampling in Private Data Analysis, STOC 2007"
NISSIM_DESIGN = (
    "Nissim, Smorodinsky and Tennenholtz, Approximately Optimal Mechanism Design via Differential Privacy, ITCS"
    " 2012"
)
PAN_PRIVATE = "Dwork, Naor, Pitassi, Rothblum and Yekhanin, Pan-Private Streaming Algorithms, ICS 2010"
PATE = (
    "Papernot, Abadi, Erlingsson, Goodfellow and Talwar, Semi-supervised Knowledge Transfer for Deep Learning from"
    " Private Training Data, ICLR 2017"
)
PATE_GAN = "Jordon, Yoon and van der Schaar, PATE-GAN, ICLR 2019"
PRIVADA = (
    "Eigner, Kate, Maffei, Pampaloni and Pryvalov, Differentially Private Data Aggregation with Optimal Utility,"
    " ACSAC 2014"
)
PRIVBAYES = "Zhang, Cormode, Procopiuc, Srivastava and Xiao, PrivBayes, SIGMOD 2014"
PRIVELET = "Xiao, Wang and Gehrke, Differential Privacy via Wavelet Transforms, ICDE 2010"
PRIVKV = "Ye, Hu, Meng and Zheng, PrivKV, IEEE S&P 2019"
PYTHIA = "Kotsogiannis, Machanavajjhala, Hay and Miklau, Pythia, SIGMOD 2017"
QARDAJI = "Qardaji, Yang and Li, Differentially Private Grids for Geospatial Data, ICDE 2013"
QIAO = "Qiao, Su and Zhang, Oneshot Differentially Private Top-k Selection, ICML 2021"
R2T = "Dong, Fang, Yi, Tao and Machanavajjhala, R2T: Instance-Optimal Truncation, SIGMOD 2022"
RAPPOR = "Erlingsson, Pihur and Korolova, RAPPOR, CCS 2014"
ROGERS = "Rogers, Roth, Ullman and Vadhan, Privacy Odometers and Filters, NIPS 2016"
SAGE = (
    "Lécuyer, Spahn, Vodrahalli, Geambasu and Hsu, Privacy Accounting and Quality Control in the Sage Differentially"
    " Private ML Platform, SOSP 2019"
)
SAJED = (
    "Sajed and Sheffet, An Optimal Private Stochastic-MAB Algorithm Based on an Optimal Private Stopping Rule,"
    " ICML 2019"
)
SEALFON = "Sealfon, Shortest Paths and Distances with Differential Privacy, PODS 2016"
SHADOWDP = "Wang, Ding, Wang, Kifer and Zhang, Proving Differential Privacy with Shadow Execution, PLDI 2019"
SHOKRI = "Shokri and Shmatikov, Privacy-Preserving Deep Learning, CCS 2015"
SMITH = "Smith, Privacy-Preserving Statistical Estimation with Optimal Convergence Rates, STOC 2011"
SONG = "Song, Chaudhuri and Sarwate, Stochastic Gradient Descent with Private Updates, GlobalSIP 2013"
STATDP = "Ding, Wang, Wang, Zhang and Kifer, Detecting Violations of Differential Privacy, CCS 2018"
SU = "Su, Cao, Li, Bertino and Jin, Differentially Private k-Means Clustering, CODASPY 2016"
TALWAR = "McSherry and Talwar, Mechanism Design via Differential Privacy, FOCS 2007"
TALWAR_LASSO = "Talwar, Thakurta and Zhang, Nearly Optimal Private LASSO, NIPS 2015"
TANG = (
    "Tang, Korolova, Bai, Wang and Wang, Privacy Loss in Apple's Implementation of Differential Privacy on MacOS 10.12,"
    " 2017"
)
THRESHOLDOUT = (
    "Dwork, Feldman, Hardt, Pitassi, Reingold and Roth, Generalization in Adaptive Data Analysis and Holdout Reuse,"
    " NIPS 2015"
)
TOP_M = (
    "Nguyen, Imine and Rusinowitch, Differentially Private Publication of Social Graphs at Linear Cost, ASONAM 2015"
)
TRAMER = "Tramèr, Terzis, Steinke, Song, Jagielski and Carlini, Debugging Differential Privacy, 2022"
TRANSIT = "Chen, Fung, Desai and Sossou, Differentially Private Transit Data Publication, KDD 2012"
VAIDYA = "Vaidya, Shafiq, Basu and Hong, Differentially Private Naive Bayes Classification, WI 2013"
WANG_LOCAL = (
    "Wang, Blocki, Li and Jha, Locally Differentially Private Protocols for Frequency Estimation, USENIX Security 2017"
)
WARNER = "Warner, Randomized Response, JASA 1965"
WASSERMAN = "Wasserman and Zhou, A Statistical Framework for Differential Privacy, JASA 2010"
WILSON = (
    "Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo and Gipson, Differentially Private SQL with Bounded User"
    " Contribution, PoPETs 2020"
)
XIAO = "Xiao, Bender, Hay and Gehrke, iReduct, SIGMOD 2011"
XU = "Xu, Zhang, Xiao, Yang and Yu, Differentially Private Histogram Publication, ICDE 2012"
YE_BARG = (
    "Ye and Barg, Optimal Schemes for Discrete Distribution Estimation under Locally Differential Privacy, IEEE"
    " Transactions on Information Theory 2018"
)
ZHANG_SPRT = "Zhang, Mei and Cummings, Private Sequential Hypothesis Testing for Statisticians, AISTATS 2022"
