/** Scripts whose words are written with the zero-width joiner or non-joiner. */
const JOINED =
  'Arab Syrc Mand Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
    .split(' ')
    .map((script) => String.raw`\p{scx=${script}}`)
    .join('')

/** What draws nothing alone and belongs to what does: parts of emoji and of words. One at a time, so that none of it can carry a text. */
const BELONGING = new RegExp(
  [
    // The flags of England, Scotland and Wales, the only ones that are made of tags.
    String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[\p{Emoji}\p{S}])[\uFE00\uFE0E\uFE0F]`,
    String.raw`(?<=\p{Ideographic})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
    String.raw`(?<=[\u1820-\u18AA])[\u180B-\u180F]`,
    String.raw`(?<=[${JOINED}])[\u200C\u200D]`,
  ].join('|'),
  'gu',
)

/** Controls, formats, private and unassigned characters, and what else draws nothing; without line breaks, tabs, emoji to come, and number signs of Arabic and its like, which are seen. */
const UNSEEN =
  /[[\p{C}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n\r\p{Extended_Pictographic}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]]/gv
/** Marks of direction that are usual in texts of these scripts; they move nothing but their neighbour. */
const DIRECTION_MARK = /[\u200E\u200F\u061C]/gu
const RIGHT_TO_LEFT = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u
/** Letters that mirror ASCII and are never drawn. */
const TAGS = /[\u{E0020}-\u{E007E}]/gu

/** Letters of other alphabets that look like Latin ones, and those. The whole of Unicode's table has thousands, nearly all of which no font on a screen draws like a letter. */
const TWINS = new Map(
  [
    ['аеорсухіјѕһԁԛԝѵӏ', 'aeopcyxijshdqwvl'],
    ['АВЕКМНОРСТУХІЈЅ', 'ABEKMHOPCTYXIJS'],
    ['ονρι', 'ovpi'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    ['օսոհզ', 'ounhq'],
    ['ᎪᎬᏚᏟᎠᎳᎷᎻᏢᎢ', 'AESCDWMHPT'],
    ['ɡ', 'g'],
  ].flatMap(([others = '', latin = '']) =>
    Array.from(others, (other, index): [string, string] => [other, latin.charAt(index)]),
  ),
)
const TWIN = new RegExp(`[${[...TWINS.keys()].join('')}]`, 'gu')
const WORD = /[\p{L}\p{M}\p{N}_]+/gu
/** An abbreviation with an ending of another language, as in "URLа". */
const INFLECTED = /^[A-Z0-9]+[^\p{sc=Latn}]+$/u
const PLAIN = /^[\t\n\r\x20-\x7E]*$/
const NAMED_CODES = 5
const CITED = 60

/** What a text hides from no matter which app reads it, as sentences. */
export function hiddenIn(text: string): string[] {
  if (PLAIN.test(text)) return []
  return [unseenIn(text), mixedIn(text)].filter((one) => one !== undefined)
}

/** A text as a model may read it: what is hidden is spelled out, look-alike letters are Latin ones. For comparing, not for showing. */
export function plainly(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .replace(TAGS, (tag) => asciiOf(tag))
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .replace(TWIN, (letter) => TWINS.get(letter) ?? letter)
}

/** Which characters of a text can't be seen, as a sentence. */
export function unseenIn(text: string): string | undefined {
  const rest = text.replace(BELONGING, '')
  const bare = RIGHT_TO_LEFT.test(rest) ? rest.replace(DIRECTION_MARK, '') : rest
  const unseen = bare.match(UNSEEN)
  if (!unseen) return undefined
  const codes = [...new Set(unseen)].map(codeOf)
  const named = codes.slice(0, NAMED_CODES).join(', ') + (codes.length > NAMED_CODES ? ', …' : '')
  const count = unseen.length === 1 ? '1 character' : `${String(unseen.length)} characters`
  const from = Math.max(0, bare.search(UNSEEN) - CITED / 2)
  const tags = bare.match(TAGS)
  const spelled = tags ? ` They spell “${writtenOut(tags.map(asciiOf).join(''), CITED)}”.` : ''
  return `Contains ${count} that can’t be seen (${named}): “${writtenOut(bare.slice(from), CITED)}”.${spelled}`
}

function mixedIn(text: string): string | undefined {
  for (const [word] of text.matchAll(WORD)) {
    const twins = word.match(TWIN)
    if (!twins || !/[A-Za-z]/.test(word) || INFLECTED.test(word)) continue
    const shown = word.slice(0, CITED).replace(TWIN, (letter) => `<${codeOf(letter)}>`)
    return `A word mixes look-alike letters of different alphabets: “${writtenOut(shown, 2 * CITED)}”.`
  }
  return undefined
}

function asciiOf(tag: string): string {
  return String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)
}

/** Controls, what is no character at all, spaces that are not the plain one, and all that draws nothing. */
const NOT_SHOWN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu

/** The number of a character as Unicode writes it, such as `U+200B`. */
function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `U+${code.padStart(4, '0')}`
}

/** A text of a server to cite in a sentence: at most `limit` characters of it, each that cannot be seen as its code, such as `<U+200B>`. */
export function writtenOut(text: string, limit = 60): string {
  // Cut before it is taken apart: a name may have megabytes.
  const characters = Array.from(text.slice(0, 2 * (limit + 1)))
  const shown = characters.slice(0, limit).join('')
  const rest = characters.length > limit ? '…' : ''
  return shown.replace(NOT_SHOWN, (character) => `<${codeOf(character)}>`) + rest
}
