import {
  hasSecret,
  openText,
  plainText,
} from '../../../../src-shared/domain/installation/custom-server'
import { namesSecret } from '../../../../src-shared/domain/secret-name'
import { flagBefore, secretText } from '../../../../src-shared/form/recognize-secrets'
import type { CustomServerRow, EditedText } from '../values/hand-places'

/** What stays open before a secret: `--api-key=`, `TOKEN=`, `Bearer `, `Authorization: Bearer `. */
const LEAD =
  /^(?:-{0,2}[A-Za-z][\w.-]*=|(?:[A-Za-z][\w-]*:\s*)?(?:Bearer|Basic|Token)\s+|[A-Za-z][\w-]*:\s+)/i
const QUERY = /[?&]([\w.~-]+)=([^&#]*)/g

/** Makes a text secret: what names the secret stays open. */
export function toSecret(text: string, place: 'url' | 'value'): EditedText {
  const [start, end] = place === 'url' ? querySpan(text) : [leadOf(text), text.length]
  return [
    ...openText(text.slice(0, start)),
    { kind: 'secret', secret: text.slice(start, end) },
    ...openText(text.slice(end)),
  ]
}

/** Makes a text open again, with what was typed of its secrets; a saved one cannot be read back. */
export function toPlain(text: EditedText): EditedText {
  const texts = text.map((piece) => {
    if (piece.kind === 'text') return piece.text
    return piece.kind === 'secret' ? piece.secret : ''
  })
  return openText(texts.join(''))
}

/** Whether making it open loses a secret that only the keychain knows, or a choice in its place. */
export function losesSaved(text: EditedText): boolean {
  return text.some(({ kind }) => kind !== 'text' && kind !== 'secret')
}

/**
 * A name such as API_KEY makes an empty value a secret one, before the secret is typed. A typed one becomes secret where
 * the name of `before` did not say so; what was opened under its name stays open.
 */
export function suggestSecret(name: string, value: EditedText, before = name): EditedText {
  if (!namesSecret(name) || hasSecret(value)) return value
  if (plainText(value, '') === '') return toSecret('', 'value')
  return namesSecret(before) ? value : secretText(value, { place: 'variable', name })
}

/** Whether an address has a place for a secret. */
export function hasQuery(url: string): boolean {
  return QUERY_TEST.test(url)
}

const QUERY_TEST = /[?&][\w.~-]+=/

function leadOf(text: string): number {
  return LEAD.exec(text)?.[0].length ?? 0
}

/** The value of the parameter that is called like a secret, or of the last one. */
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

/** Pasted text as lines of a list of arguments, secrets by the names before them; null for a single one, which the input takes itself. */
export function pastedArguments(text: string): CustomServerRow[] | null {
  if (!/[\r\n]/.test(text.trim())) return null
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const words = lines.map((line) => line.trim())
  return words.map((word, index) => {
    const context = { place: 'argument', name: flagBefore(words, index) } as const
    return { name: '', value: secretText(openText(word), context) }
  })
}

/** Pasted text as pairs, where every line of it is one: `NAME=value`, `export NAME="value"`, `Name: value`. */
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
