import {
  hasSecret,
  openText,
  plainText,
} from '../../../../src-shared/domain/installation/custom-server'
import { namesSecret } from '../../../../src-shared/domain/secret-name'
import { flagBefore, secretText } from '../../../../src-shared/form/recognize-secrets'
import type { CustomServerRow, EditedText } from '../values/custom-server-controls'

/** Prefix that stays open before a secret: `--api-key=`, `TOKEN=`, `Bearer `, `Authorization: Bearer `. */
const SECRET_PREFIX =
  /^(?:-{0,2}[A-Za-z][\w.-]*=|(?:[A-Za-z][\w-]*:\s*)?(?:Bearer|Basic|Token)\s+|[A-Za-z][\w-]*:\s+)/i
const QUERY = /[?&]([\w.~-]+)=([^&#]*)/g

/** Makes a text secret, except the part that names the secret. */
export function toSecret(text: string, place: 'url' | 'value'): EditedText {
  const [start, end] = place === 'url' ? querySpan(text) : [prefixLength(text), text.length]
  return [
    ...openText(text.slice(0, start)),
    { kind: 'secret', secret: text.slice(start, end) },
    ...openText(text.slice(end)),
  ]
}

/** Makes a text open, with its typed secrets; a saved secret cannot be read back. */
export function toPlain(text: EditedText): EditedText {
  const texts = text.map((piece) => {
    if (piece.kind === 'text') return piece.text
    return piece.kind === 'secret' ? piece.secret : ''
  })
  return openText(texts.join(''))
}

/** Whether opening a text loses a secret that only the keychain has, or a choice in its place. */
export function losesSaved(text: EditedText): boolean {
  return text.some(({ kind }) => kind !== 'text' && kind !== 'secret')
}

/**
 * Turns an empty value into a secret if its name is like API_KEY. A typed value becomes secret if its name now says so and `before` didn't;
 * the user's own choice under the same name stays.
 */
export function suggestSecret(name: string, value: EditedText, before = name): EditedText {
  if (!namesSecret(name) || hasSecret(value)) return value
  if (plainText(value, '') === '') return toSecret('', 'value')
  return namesSecret(before) ? value : secretText(value, { place: 'variable', name })
}

/** Whether an address has a query parameter that can hold a secret. */
export function hasQuery(url: string): boolean {
  return QUERY_TEST.test(url)
}

const QUERY_TEST = /[?&][\w.~-]+=/

function prefixLength(text: string): number {
  return SECRET_PREFIX.exec(text)?.[0].length ?? 0
}

/** Returns the range of the value of the parameter named like a secret, or of the last one. */
function querySpan(url: string): [number, number] {
  const spans = Array.from(
    url.matchAll(QUERY),
    ({ index, 0: whole, 1: name = '', 2: value = '' }) => {
      const end = index + whole.length
      return { name, start: end - value.length, end }
    },
  )
  const chosen = spans.find(({ name }) => namesSecret(name)) ?? spans.at(-1)
  return chosen ? [chosen.start, chosen.end] : [url.length, url.length]
}

/** Splits pasted text into arguments, with secrets recognized by the names before them; null for a single line, which the input handles. */
export function pastedArguments(text: string): CustomServerRow[] | null {
  if (!/[\r\n]/.test(text.trim())) return null
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const words = lines.map((line) => line.trim())
  return words.map((word, index) => {
    const context = { place: 'argument', name: flagBefore(words, index) } as const
    return { name: '', value: secretText(openText(word), context) }
  })
}

/** Parses pasted text as pairs if every line is one: `NAME=value`, `export NAME="value"`, `Name: value`. */
export function pastedPairs(text: string): CustomServerRow[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const pairs = lines.map((line) =>
    /^(?:export\s+)?([\w.-]+)\s*(?:=|:\s)\s*(.*)$/.exec(line.trim()),
  )
  if (pairs.length === 0 || pairs.some((pair) => pair === null)) return null
  return pairs.map((pair) => {
    const [, name = '', value = ''] = pair ?? []
    return pairRow(name, value.replace(/^(["'])(.*)\1$/, '$2'))
  })
}

function pairRow(name: string, text: string): CustomServerRow {
  const isSecret = suggestSecret(name, []).length > 0
  return { name, value: isSecret ? [{ kind: 'secret', secret: text }] : openText(text) }
}
