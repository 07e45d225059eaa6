/** A piece of a text for a shell: literal, or the value of a variable that the user sets in the shell. */
type ShellPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }

/** One text for a shell, in pieces. */
export type ShellWord = readonly ShellPiece[]

/** The text of a word, its variables as `spell` writes them. */
export function wordText(word: ShellWord, spell: (name: string) => string): string {
  return word.map((piece) => (piece.kind === 'text' ? piece.text : spell(piece.name))).join('')
}

/** The variables of words, each once. */
export function variableNames(words: readonly ShellWord[]): string[] {
  const names = words.flat().flatMap((piece) => (piece.kind === 'variable' ? [piece.name] : []))
  return [...new Set(names)]
}

/** Nothing of these is special to bash or zsh, wherever in a word it stands but for a leading `=` in zsh. */
const POSIX_PLAIN = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@+:,./=-]*$/
const CONTROL = /\p{Cc}/u

/**
 * A word for bash and zsh: plain, in single quotes, in `$'…'` where it holds control characters, or with variables
 * in double quotes. See "Quoting" in the manual of Bash; zsh reads these three forms alike.
 */
export function posixWord(word: ShellWord): string {
  const joined = word
    .map((piece) => (piece.kind === 'variable' ? `"$${piece.name}"` : posixText(piece.text)))
    .join('')
  return joined === '' ? "''" : joined
}

/** Words that begin a command of the shell itself. */
const RESERVED =
  /^(if|then|else|elif|fi|for|foreach|select|while|until|repeat|do|done|case|esac|in|time|coproc|function|nocorrect|end)$/

/** As `posixWord`, for the first word of a command, where `a=b` would be an assignment and `if` a keyword. */
export function posixCommand(command: string): string {
  const isPlain = POSIX_PLAIN.test(command) && !command.includes('=') && !RESERVED.test(command)
  return isPlain || CONTROL.test(command) ? posixText(command) : posixQuoted(command)
}

function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function posixText(text: string): string {
  if (text === '') return ''
  if (POSIX_PLAIN.test(text)) return text
  if (!CONTROL.test(text)) return posixQuoted(text)
  const escaped = text.replace(/[\\']/g, String.raw`\$&`)
  const spelled = escaped.replace(/\p{Cc}/gu, (one) => [...Buffer.from(one)].map(octal).join(''))
  return `$'${spelled}'`
}

/** Three digits each, so that a digit behind one is never read with it. */
function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`
}

/** A word that is plain to PowerShell in every place: no number, no operator, no splatting, nothing that it would split. */
const POWERSHELL_PLAIN = /^(--?)?[A-Za-z][A-Za-z0-9-]*$/
/** PowerShell takes the typographic quotes for quotes. */
const SINGLE_QUOTES = /['\u2018-\u201b]/g
const EXPANDED = /[`$"\u201c-\u201e]/g

/**
 * A word for PowerShell: single quotes with each quote doubled, or double quotes with backticks where variables
 * stand in it. See "about_Quoting_Rules" in the manual of PowerShell.
 */
export function powershellWord(word: ShellWord): string {
  if (word.every((piece) => piece.kind === 'text')) {
    const text = wordText(word, powershellVariable)
    return POWERSHELL_PLAIN.test(text) ? text : `'${text.replace(SINGLE_QUOTES, '$&$&')}'`
  }
  const pieces = word.map((piece) =>
    piece.kind === 'text' ? piece.text.replace(EXPANDED, '`$&') : powershellVariable(piece.name),
  )
  return `"${pieces.join('')}"`
}

/** The name of a variable of the environment in braces, which take any character. */
export function powershellVariable(name: string): string {
  return `\${env:${name.replace(/[`{}]/g, '`$&')}}`
}

/** What double quotes do not make harmless in cmd.exe, each with its word. */
const CMD_UNSAFE: readonly (readonly [RegExp, string])[] = [
  [/%/, 'a percent sign'],
  [/\^/, 'a caret'],
  [/"/, 'a double quote'],
  [/[\r\n]/, 'a line break'],
  [/\p{Cc}/u, 'a control character'],
]

/** What in a word cannot be written for cmd.exe, in words; undefined when all of it can. */
export function cmdObstacle(word: ShellWord): string | undefined {
  const texts = word.map((piece) => (piece.kind === 'text' ? piece.text : ''))
  return CMD_UNSAFE.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1]
}

/** A word for the quotes of `set "NAME=value"`, which are its own, so the value has none. */
export function bareCmdWord(word: ShellWord): string {
  return wordText(word, (name) => `%${name}%`)
}

/**
 * A word for cmd.exe in double quotes; only for one without a `cmdObstacle`. Backslashes before the last quote are
 * doubled, as "Parsing C command-line arguments" of Microsoft's C library reads them.
 */
export function cmdWord(word: ShellWord): string {
  const text = bareCmdWord(word)
  if (/^[A-Za-z0-9_./:-]+$/.test(text)) return text
  return `"${text.replace(/\\+$/, '$&$&')}"`
}
