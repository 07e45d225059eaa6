/** Scripts whose words use the zero-width joiner or non-joiner. */
const JOINED =
  'Arab Syrc Mand Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
    .split(' ')
    .map((script) => String.raw`\p{scx=${script}}`)
    .join('')

/** Invisible characters that belong to visible ones, as parts of emoji and words. Only one at a time, so that they can't carry a text. */
const BELONGING = new RegExp(
  [
    // The flags of England, Scotland and Wales, the only ones made of tags.
    String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[\p{Emoji}\p{S}])[\uFE00\uFE0E\uFE0F]`,
    String.raw`(?<=\p{Ideographic})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
    String.raw`(?<=[\u1820-\u18AA])[\u180B-\u180F]`,
    String.raw`(?<=[${JOINED}])[\u200C\u200D]`,
  ].join('|'),
  'gu',
)

/**
 * Controls, formats, private and unassigned characters, and other invisible ones. Excludes line breaks, tabs, future emoji, and visible
 * number signs such as the Arabic ones.
 */
const UNSEEN =
  /[[\p{C}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n\r\p{Extended_Pictographic}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]]/gv
/** Direction marks that are usual in texts of these scripts; they affect only their neighbors. */
const DIRECTION_MARK = /[\u200E\u200F\u061C]/gu
const RIGHT_TO_LEFT = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u
/** Invisible letters that mirror ASCII. */
const TAGS = /[\u{E0020}-\u{E007E}]/gu

/**
 * Letters of other alphabets that look like Latin ones, with these. Unicode's complete table has thousands, most of which no screen font
 * draws like a letter.
 */
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
/** An abbreviation with an ending in another script, as in "URLа". */
const INFLECTED = /^[A-Z0-9]+[^\p{sc=Latn}]+$/u
const PLAIN = /^[\t\n\r\x20-\x7E]*$/
const NAMED_CODES = 5
const CITED = 60

/** Returns what a text hides from a reader in any app, as sentences. */
export function hiddenIn(text: string): string[] {
  if (PLAIN.test(text)) return []
  return [describeInvisible(text), describeMixedScripts(text)].filter((one) => one !== undefined)
}

/**
 * Returns a text as a model may read it: with hidden characters spelled out, and look-alike letters as Latin ones. For comparison, not for
 * display.
 */
export function normalizedText(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .replace(TAGS, (tag) => asciiOf(tag))
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .replace(TWIN, (letter) => TWINS.get(letter) ?? letter)
}

/** Returns which characters of a text are invisible, as a sentence. */
export function describeInvisible(text: string): string | undefined {
  const unattached = text.replace(BELONGING, '')
  const searched = RIGHT_TO_LEFT.test(unattached)
    ? unattached.replace(DIRECTION_MARK, '')
    : unattached
  const unseen = searched.match(UNSEEN)
  if (!unseen) return undefined
  const codes = [...new Set(unseen)].map(codeOf)
  const named = codes.slice(0, NAMED_CODES).join(', ') + (codes.length > NAMED_CODES ? ', …' : '')
  const count = unseen.length === 1 ? '1 character' : `${String(unseen.length)} characters`
  const from = Math.max(0, searched.search(UNSEEN) - CITED / 2)
  const tags = searched.match(TAGS)
  const spelled = tags ? ` They spell “${escapeInvisible(tags.map(asciiOf).join(''), CITED)}”.` : ''
  return `Contains ${count} that can’t be seen (${named}): “${escapeInvisible(searched.slice(from), CITED)}”.${spelled}`
}

function describeMixedScripts(text: string): string | undefined {
  for (const [word] of text.matchAll(WORD)) {
    const twins = word.match(TWIN)
    if (!twins || !/[A-Za-z]/.test(word) || INFLECTED.test(word)) continue
    const shown = word.slice(0, CITED).replace(TWIN, (letter) => `<${codeOf(letter)}>`)
    return `A word mixes look-alike letters of different alphabets: “${escapeInvisible(shown, 2 * CITED)}”.`
  }
  return undefined
}

function asciiOf(tag: string): string {
  return String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)
}

/** Controls, noncharacters, spaces other than the plain one, and invisible characters. */
const NOT_SHOWN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu

/** Returns the code point in Unicode notation, such as `U+200B`. */
function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `U+${code.padStart(4, '0')}`
}

/** Quotes a server's text in a sentence: at most `limit` characters, with invisible ones as codes, such as `<U+200B>`. */
export function escapeInvisible(text: string, limit = 60): string {
  // Cut before splitting: a name may have megabytes.
  const characters = Array.from(text.slice(0, 2 * (limit + 1)))
  const shown = characters.slice(0, limit).join('')
  const ellipsis = characters.length > limit ? '…' : ''
  return shown.replace(NOT_SHOWN, (character) => `<${codeOf(character)}>`) + ellipsis
}
