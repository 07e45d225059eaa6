/** A piece of shell text: a literal, or a variable that the user sets in the shell. */
type ShellPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }

/** One shell word, in pieces. */
export type ShellWord = readonly ShellPiece[]

/** Returns the text of a word, with variables spelled by `spell`. */
export function wordText(word: ShellWord, spell: (name: string) => string): string {
  return word.map((piece) => (piece.kind === 'text' ? piece.text : spell(piece.name))).join('')
}

/** Returns the distinct variable names of words. */
export function variableNames(words: readonly ShellWord[]): string[] {
  const names = words.flat().flatMap((piece) => (piece.kind === 'variable' ? [piece.name] : []))
  return [...new Set(names)]
}

/** Characters without special meaning in bash and zsh, except a leading `=` in zsh. */
const POSIX_PLAIN = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@+:,./=-]*$/
const CONTROL = /\p{Cc}/u

/**
 * Quotes a word for bash and zsh: plain, in single quotes, in `$'…'` if it has control characters, or in double quotes if it has variables.
 * See "Quoting" in the Bash manual; zsh reads these three forms the same way.
 */
export function posixWord(word: ShellWord): string {
  const joined = word
    .map((piece) => (piece.kind === 'variable' ? `"$${piece.name}"` : posixText(piece.text)))
    .join('')
  return joined === '' ? "''" : joined
}

/** Reserved words of the shell. */
const RESERVED =
  /^(if|then|else|elif|fi|for|foreach|select|while|until|repeat|do|done|case|esac|in|time|coproc|function|nocorrect|end)$/

/** Quotes the first word of a command like `posixWord`; unquoted, `a=b` would be an assignment and `if` a keyword. */
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

/** Three digits each, so that a following digit isn't read as part of the escape. */
function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`
}

/** A word that PowerShell takes literally in every place: no number, operator or splatting, and nothing that it would split. */
const POWERSHELL_PLAIN = /^(--?)?[A-Za-z][A-Za-z0-9-]*$/
/** PowerShell treats typographic quotes as quotes. */
const SINGLE_QUOTES = /['\u2018-\u201b]/g
const EXPANDED = /[`$"\u201c-\u201e]/g

/**
 * Quotes a word for PowerShell: single quotes with each quote doubled, or double quotes with backticks if it has variables. See
 * "about_Quoting_Rules" of PowerShell.
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

/** Returns the name of an environment variable in braces, which allow any character. */
export function powershellVariable(name: string): string {
  return `\${env:${name.replace(/[`{}]/g, '`$&')}}`
}

/** Characters that stay special within double quotes of cmd.exe, with their names. */
const CMD_UNSAFE: readonly (readonly [RegExp, string])[] = [
  [/%/, 'a percent sign'],
  [/\^/, 'a caret'],
  [/"/, 'a double quote'],
  [/[\r\n]/, 'a line break'],
  [/\p{Cc}/u, 'a control character'],
]

/** Names what can't be written for cmd.exe; undefined if everything can. */
export function cmdObstacle(word: ShellWord): string | undefined {
  const texts = word.map((piece) => (piece.kind === 'text' ? piece.text : ''))
  return CMD_UNSAFE.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1]
}

/** Formats a word for `set "NAME=value"`, whose quotes aren't part of the value. */
export function bareCmdWord(word: ShellWord): string {
  return wordText(word, (name) => `%${name}%`)
}

/**
 * Quotes a word for cmd.exe; only for a word without a `cmdObstacle`. Doubles backslashes before the last quote, by "Parsing C command-line
 * arguments" of Microsoft's C library.
 */
export function cmdWord(word: ShellWord): string {
  const text = bareCmdWord(word)
  if (/^[A-Za-z0-9_./:-]+$/.test(text)) return text
  return `"${text.replace(/\\+$/, '$&$&')}"`
}
