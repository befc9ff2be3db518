"""Quantities of Chinese and Japanese, whose words are written without spaces."""

# ruff: noqa: RUF001 - words of other languages

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import reduce

from adapters.caching import cached
from scorers.statements.quantities.quantity import Comparator, Quantity
from scorers.statements.quantities.scanning import MAX_TEXT
from scorers.statements.quantities.units import MeasureUnit, units
from scorers.text.numbers import ascii_digits, number_readings

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_TENS = {"十": 10, "百": 100, "千": 1_000}
_SCALES = {"万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8}
_NUMERALS = "".join((*_DIGITS, *_TENS, *_SCALES))
_AMOUNT = re.compile(
    r"(?P<day>\d{4}年\d{1,2}月(?:\d{1,2}日)?|\d{1,2}月\d{1,2}[日号]|\d{4}-\d{1,2}-\d{1,2})"
    r"|(?P<clock>\d{1,2}[:：]\d{2}|\d{1,2}[点點時时](?![间間])(?:\d{1,2}分)?)"
    r"|(?P<share>\d{1,3}分の\d{1,3}|[一二三四五六七八九]分之[一二三四五六七八九])"
    r"|(?P<sign>[€$£¥￥])?(?P<number>\d(?:[\d.,，．]{0,30}\d)?)(?P<scale>[十百千万萬亿億]{1,3})?"
    rf"|(?P<words>半|[{_NUMERALS}]{{1,20}})"
)
_FULL = str.maketrans("，．：￥", ",.:¥")
_JOINERS = "-~〜～–—至到から"
_UNIT_LONGEST = 6
_PHRASE_LONGEST = 6
_BEFORE: Mapping[str, Mapping[Comparator, str]] = {
    "zh": {
        ">=": "至少 不少于 最少 不低于 起码 最低 不小于",
        ">": "超过 多于 大于 高于 逾 超出",
        "<=": "最多 不超过 至多 最高 不多于 不高于 最长 不得超过 不晚于 最迟 不大于 不可超过",
        "<": "少于 低于 不足 小于 不到 未满", "~": "约 大约 大概 近", "after": "自 从", "before": "截至 截止",
    },
    "ja": {">=": "最低 少なくとも 最低でも", "<=": "最大 最長 最高 最大で 最大でも 遅くとも", "~": "約 およそ ほぼ"},
}  # fmt: skip
_BEHIND: Mapping[str, Mapping[Comparator, str]] = {
    "zh": {">=": "以上 或以上 及以上 起", "<=": "以内 之内 以下 内 或以下 及以下", "after": "后 之后 以后 起",
           "before": "前 之前 以前", "~": "左右 上下"},
    "ja": {">=": "以上", "<=": "以内 以下 まで", "<": "未満", ">": "超 を超える を超え",
           "after": "後 以降 から 経過後",
           "before": "前 より前", "~": "程度 ほど 前後"},
}  # fmt: skip
_RATES = {"zh": ("每", "/"), "ja": ("毎", "/")}
_SPLIT = re.compile("[、，,；;：。|（）()\\s]")
_FEW = 200
_AFTERNOON = ("下午", "午後", "晚上")
_NOON = 12


@cached(maxsize=4)
def _phrases(language: str) -> tuple[Mapping[str, Comparator], Mapping[str, Comparator]]:
    before, behind = (
        {phrase: bound for bound, phrases in table[language].items() for phrase in phrases.split()}
        for table in (_BEFORE, _BEHIND)
    )
    return before, behind


def ideographic(text: str, language: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text in Chinese or Japanese.

    >>> [(q.value, q.unit, q.bound) for q in ideographic("最多30天内退款, 费用为三百元。", "zh")]
    [(2592000.0, 'day', '<='), (300.0, 'CNY', '=')]
    """
    text = text[:MAX_TEXT]
    found: list[Quantity] = []
    for match in _AMOUNT.finditer(text):
        if len(found) >= _FEW:
            break
        quantity = _quantity(text, match, language)
        if quantity is not None and not (found and quantity.start < found[-1].end):
            last = found[-1] if found else None
            if last is not None and text[last.end : quantity.start] in _JOINED and last.unit in ("", quantity.unit):
                scale = quantity.value / quantity.amount if quantity.amount else 1.0
                low = last.value if last.unit else last.value * scale
                if low < quantity.value:
                    found[-1] = quantity._replace(
                        value=low, upper=quantity.value, start=last.start, written=text[last.start : quantity.end]
                    )
                    continue
            found.append(quantity)
    return tuple(quantity for quantity in found if quantity.unit or quantity.dimension != "count" or quantity.step)


_JOINED = frozenset((*_JOINERS[:7], "至", "到", "から"))


def _quantity(text: str, match: re.Match[str], language: str) -> Quantity | None:
    kind = match.lastgroup
    start, end = match.span()
    about = tuple(_around(text, start, end))
    if kind == "day":
        parts = [int(part) for part in re.findall(r"\d{1,4}", ascii_digits(match["day"]))]
        parts = parts if "年" in match["day"] or "-" in match["day"] else [0, *parts]
        day = (parts[0], parts[1], parts[2] if parts[2:] else 0)
        bound, word, stop = _behind(text, end, language)
        return Quantity("date", 0.0, "day", text[start:stop], start, stop, bound=bound if word else "=",
                        bound_word="", days=(day,), about=about)  # fmt: skip
    if kind == "clock":
        parts = [int(part) for part in re.findall(r"\d{1,2}", ascii_digits(match["clock"]))]
        late = text[max(0, start - 2) : start] in _AFTERNOON and parts[0] < _NOON
        minutes = float((parts[0] + _NOON * late) * 60 + (parts[1] if len(parts) > 1 else 0))
        return Quantity("clock", minutes, "clock", match["clock"], start, end, about=about)
    if kind == "share":
        whole, _, part = match["share"].replace("之", "の").replace("分の", "/").partition("/")
        low, high = _spelled(part), _spelled(whole)
        if not low or not high:
            return None
        return Quantity("percent", low / high * 100, "%", match["share"], start, end, amount=low / high, step=1.0,
                        about=about)  # fmt: skip
    spelled = match["words"]
    if spelled is None:
        values = number_readings(match["number"].translate(_FULL), language)
        scale = reduce(lambda one, c: one * (_TENS.get(c) or _SCALES[c]), match["scale"] or "", 1.0)
        values = tuple(value * scale for value in values)
    else:
        values = (0.5,) if spelled == "半" else (_spelled(spelled),)
    if not values:
        return None
    return _measured(text, match, language, values, about)


def _measured(
    text: str, match: re.Match[str], language: str, values: tuple[float, ...], about: tuple[str, ...]
) -> Quantity | None:
    start, end = match.span()
    spelled = match["words"]
    form, unit = _unit(text, end, language)
    sign = units(language).get(match["sign"] or "")
    if unit is None and (percent := re.match(r"%|％", text[end : end + 1])):
        unit, form = units(language)["%"], percent.group()
    if sign is not None:
        form = form if unit is sign else ""
        unit = sign
    if unit is None:
        if spelled is not None:
            return None
        noun = text[end : end + 2]
        return Quantity("count", values[0], noun.strip() if noun[:1].isalpha() else "", match.group(), start, end,
                        amount=values[0], step=1.0, others=values[1:], about=about)  # fmt: skip
    if spelled is not None and unit.dimension == "time" and unit.name == "month" and form == "月":
        return None
    stop = end + len(form)
    bound, word, after = _behind(text, stop, language)
    head, front, bounded = start, "", bound
    if not word:
        for size in range(_PHRASE_LONGEST, 0, -1):
            phrase = text[max(0, start - size) : start]
            if phrase in _phrases(language)[0]:
                bounded, front, head = _phrases(language)[0][phrase], phrase, start - size
                break
    rate = next((unit.name for mark in _RATES[language] for size in (3, 2, 1)
                 if text[max(0, start - size - 1) : start].startswith(mark)
                 and (unit_before := units(language).get(text[start - size : start])) is not None
                 for unit in (unit_before,)), "")  # fmt: skip
    return Quantity(
        unit.dimension, values[0] * unit.factor + unit.zero, unit.name, text[start : after if word else stop],
        head, after if word else stop, bound=bounded, bound_word=front, rate=rate, amount=values[0],
        step=unit.factor, others=tuple(value * unit.factor for value in values[1:]), about=about,
    )  # fmt: skip


def _unit(text: str, at: int, language: str) -> tuple[str, MeasureUnit | None]:
    table = units(language)
    skip = len(text[at : at + 1]) - len(text[at : at + 1].lstrip())
    for size in range(_UNIT_LONGEST, 0, -1):
        form = text[at + skip : at + skip + size]
        if len(form) == size and form.lower() in table:
            return text[at : at + skip + size], table[form.lower()]
    return "", None


def _behind(text: str, at: int, language: str) -> tuple[Comparator, str, int]:
    for size in range(_PHRASE_LONGEST, 0, -1):
        phrase = text[at : at + size]
        if len(phrase) == size and phrase in _phrases(language)[1]:
            return _phrases(language)[1][phrase], phrase, at + size
    return "=", "", at


def _spelled(word: str) -> float:
    """Return the value of a number in Chinese numerals or digits."""
    if word.isdigit() and not any(character in _DIGITS for character in word):
        return float(ascii_digits(word))
    if all(character in _DIGITS for character in word):
        return float("".join(str(_DIGITS[character]) for character in word))
    total = section = 0.0
    digit = 0
    for character in word:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character in _TENS:
            section, digit = section + (digit or 1) * _TENS[character], 0
        else:
            total, section, digit = (total + section + digit or 1.0) * _SCALES[character], 0.0, 0
    return total + section + digit


def _around(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the pairs of characters of the part of a list in which something stands."""
    before = _SPLIT.split(text[max(0, start - 20) : start])[-1]
    after = _SPLIT.split(text[end : end + 20])[0]
    for part in (before, after):
        yield from (part[at : at + 2] for at in range(len(part) - 1) if not any(map(str.isdigit, part[at : at + 2])))
