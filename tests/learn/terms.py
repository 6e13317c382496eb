"""Splits text into terms and recognizes forms of one word, like proto/text/tokens.c and word_forms.c."""
import re

LONGEST = 64
PART = re.compile(r"[A-Z][a-z\x80-\uffff]+|[A-Z]+(?![a-z\x80-\uffff])|[A-Z]|[a-z\x80-\uffff]+|[0-9]+")
WORD = re.compile(r"[A-Za-z0-9_\x80-\U0010ffff]+")
ENDINGS = ("ing", "ed", "er", "e")
SHORTEST = 4    # letters that are left of a word without its ending


def singular(word):
    if len(word) < 4 or word[-1] != "s" or word.endswith(("us", "is")):
        return word
    if word.endswith(("sses", "xes", "tches")):
        return word[:-2]
    if word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1]


def terms(text):
    """Each word, and what it is made of: loadUsers gives loaduser, load, user."""
    for word in WORD.findall(text):
        word = word.strip("_")
        if not word:
            continue
        yield singular(word.lower()[:LONGEST])
        parts = PART.findall(word)
        if parts and parts != [word]:
            yield from (singular(p.lower()) for p in parts if 1 < len(p) < len(word))


def is_word(term):
    return SHORTEST <= len(term) < LONGEST - 4 and term.isascii() and term.isalpha() and term.islower()


def root(term):
    """What all forms of a word begin with: `plan` of plan, planned, planning; of what is no word, itself."""
    if not is_word(term):
        return term
    for ending in ENDINGS:
        if term.endswith(ending) and len(term) >= SHORTEST + len(ending):
            term = term[:-len(ending)]
            break
    return term[:-1] if len(term) > SHORTEST and term[-1] == term[-2] else term
