"""BibTeX of what findings rest on."""

from __future__ import annotations

from collections.abc import Sequence

from ndcgauge import __version__
from ndcgauge.errors import UsageError

_ENTRIES = {
    "ndcgauge": f"""@software{{ndcgauge,
  title = {{ndcgauge: a cross-implementation conformance checker for ranking metrics}},
  version = {{{__version__}}}
}}""",
    "trec_eval": """@misc{trec_eval,
  title = {trec\\_eval},
  author = {{National Institute of Standards and Technology}},
  howpublished = {\\url{https://github.com/usnistgov/trec_eval}}
}""",
    "jarvelin2002cumulated": """@article{jarvelin2002cumulated,
  title = {Cumulated gain-based evaluation of {IR} techniques},
  author = {J{\\"a}rvelin, Kalervo and Kek{\\"a}l{\\"a}inen, Jaana},
  journal = {ACM Transactions on Information Systems},
  volume = {20},
  number = {4},
  pages = {422--446},
  year = {2002},
  doi = {10.1145/582415.582418}
}""",
    "burges2005learning": """@inproceedings{burges2005learning,
  title = {Learning to rank using gradient descent},
  author = {Burges, Chris and Shaked, Tal and Renshaw, Erin and Lazier, Ari and Deeds, Matt and Hamilton, Nicole
    and Hullender, Greg},
  booktitle = {Proceedings of the 22nd International Conference on Machine Learning},
  pages = {89--96},
  year = {2005},
  doi = {10.1145/1102351.1102363}
}""",
    "mcsherry2008computing": """@inproceedings{mcsherry2008computing,
  title = {Computing information retrieval performance measures efficiently in the presence of tied scores},
  author = {McSherry, Frank and Najork, Marc},
  booktitle = {Advances in Information Retrieval ({ECIR})},
  pages = {414--421},
  year = {2008},
  doi = {10.1007/978-3-540-78646-7_38}
}""",
    "sklearn": """@article{sklearn,
  title = {Scikit-learn: Machine Learning in {Python}},
  author = {Pedregosa, Fabian and others},
  journal = {Journal of Machine Learning Research},
  volume = {12},
  pages = {2825--2830},
  year = {2011}
}""",
    "ranx": """@inproceedings{ranx,
  title = {ranx: A Blazing-Fast {Python} Library for Ranking Evaluation and Comparison},
  author = {Bassani, Elias},
  booktitle = {Advances in Information Retrieval ({ECIR})},
  pages = {259--264},
  year = {2022},
  doi = {10.1007/978-3-030-99739-7_30}
}""",
    "pyserini": """@inproceedings{pyserini,
  title = {Pyserini: A {Python} Toolkit for Reproducible Information Retrieval Research with Sparse and Dense
    Representations},
  author = {Lin, Jimmy and Ma, Xueguang and Lin, Sheng-Chieh and Yang, Jheng-Hong and Pradeep, Ronak
    and Nogueira, Rodrigo},
  booktitle = {Proceedings of the 44th International {ACM} {SIGIR} Conference},
  pages = {2356--2362},
  year = {2021},
  doi = {10.1145/3404835.3463238}
}""",
}
KEYS = tuple(_ENTRIES)
"""The keys that there are entries for."""


def bibtex(keys: Sequence[str]) -> str:
    """The entries of some keys, in their order, or of all. Raises UsageError for an unknown key."""
    for key in keys:
        if key not in _ENTRIES:
            raise UsageError(f"there is no BibTeX entry {key!r}", fix=f"one of {', '.join(KEYS)}")
    return "\n\n".join(_ENTRIES[key] for key in (keys or KEYS)) + "\n"
