import type { HandPiece, HandText } from '../../../src-shared/domain/installation/by-hand'
import type {
  ConfigurationNotice,
  RecognisedSecret,
  ServerChoice,
} from '../../../src-shared/domain/installation/configuration'
import { namesSecret } from '../../../src-shared/domain/secret-name'
import {
  findSecrets,
  isStandIn,
  type SecretSpan,
  type TextContext,
} from '../../../src-shared/form/recognize-secrets'
import { type PlaceholderFacts, type RawPiece, splitPlaceholders } from './placeholders'

/** What a text needs to be read: placeholders, Patchbay's own environment, and what the person chose. */
export type WeaveFacts = PlaceholderFacts & {
  readonly environment: (name: string) => string | undefined
  readonly choice: Pick<ServerChoice, 'open' | 'environment' | 'passed' | 'asWritten'>
  /** Variables that the entry itself gives a value. */
  readonly ownVariables?: ReadonlySet<string>
}

/** What the configuration leaves to others: the value of a placeholder, or where a path begins. */
type OpenSpot = {
  /** The same for the same text of the same server, wherever its configuration stands. */
  readonly spot: string
  /** `input:ID`, `env:NAME`, or the text of the path. */
  readonly asks: string
}

/** What came up while the texts of one server were read. */
export type WeaveSheet = {
  /** Where the server stands in the configuration. */
  readonly path: string
  readonly secrets: RecognisedSecret[]
  /** Names of the variables asked for. */
  readonly asked: Set<string>
  readonly open: OpenSpot[]
  readonly notices: ConfigurationNotice[]
}

/** A text with its id and path; of several secrets in it, each has an id of its own. */
export type WeaveText = TextContext & { readonly id: string; readonly text: string }

type Strand =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'secret'; readonly text: string; readonly label: string }
  | { readonly kind: 'fill'; readonly label?: string }
  | { readonly kind: 'environment'; readonly name: string }
  /** A placeholder that stays: it is no part of a secret. */
  | { readonly kind: 'written'; readonly text: string }

/** Makes a text of the configuration a text of a server: placeholders filled in, secrets told apart. */
export function weaveText(source: WeaveText, facts: WeaveFacts, sheet: WeaveSheet): HandText {
  const raw = keepInSecrets(splitPlaceholders(source.text, facts), source, sheet)
  const strands = joinTexts(raw.map((piece) => strandOf(piece, source, facts, sheet)))
  let count = 0
  const pieces = splitSecrets(strands, source).map((strand): HandPiece => {
    if (strand.kind === 'written') return { kind: 'text', text: strand.text }
    if (strand.kind === 'text' || strand.kind === 'environment') return strand
    if (strand.kind === 'fill') {
      const { label } = strand
      return { kind: 'secret', secret: '', ...(label !== undefined && { label }) }
    }
    count += 1
    const id = count === 1 ? source.id : `${source.id} ${String(count)}`
    return secretPiece(strand, id, source, facts, sheet)
  })
  return joinTexts(pieces)
}

/**
 * A password may hold a dollar: what looks like a placeholder inside of a secret is never filled in. A secret that is nothing but
 * placeholders names where its value is.
 */
function keepInSecrets(
  raw: readonly RawPiece[],
  source: WeaveText,
  sheet: WeaveSheet,
): readonly RawPiece[] {
  if (raw.every(({ kind }) => kind === 'text')) return raw
  const written = raw.map((piece) => (piece.kind === 'text' ? piece.text : FILLED))
  const text = written.join('')
  const spans = findSecrets(text, source).filter(({ start, end }) =>
    /[\p{L}\p{N}]/u.test(text.slice(start, end)),
  )
  let offset = 0
  return raw.map((piece, index) => {
    const at = offset
    offset += (written[index] ?? '').length
    const isInside = spans.some(({ start, end }) => at >= start && at < end)
    if (piece.kind === 'text' || !isInside) return piece
    sheet.notices.push({
      path: pathIn(sheet, source.id),
      message: `${piece.written} is inside a secret and is not replaced.`,
    })
    return { kind: 'text', text: piece.written }
  })
}

function strandOf(
  piece: RawPiece,
  source: WeaveText,
  facts: WeaveFacts,
  sheet: WeaveSheet,
): Strand {
  switch (piece.kind) {
    case 'text':
      return piece
    case 'place':
      return { kind: 'text', text: isSecretPlace(source) ? piece.written : piece.text }
    case 'unknown':
      return unknownStrand(piece.written, source, sheet)
    case 'ask':
      sheet.open.push({ spot: spotOf(source), asks: `input:${piece.id}` })
      if (piece.initial !== undefined) return { kind: 'text', text: piece.initial }
      sheet.notices.push({ path: pathIn(sheet, source.id), message: `Asks for: ${piece.label}` })
      return { kind: 'fill', label: piece.label.slice(0, 200) }
    case 'environment':
      return environmentStrand(piece, source, facts, sheet)
  }
}

function unknownStrand(written: string, source: WeaveText, sheet: WeaveSheet): Strand {
  sheet.notices.push({
    path: pathIn(sheet, source.id),
    message: `${written} is not defined and is not replaced. Enter a value instead.`,
  })
  return { kind: 'written', text: written }
}

/** Whether all of a text is a secret by its name. */
function isSecretPlace({ name }: WeaveText): boolean {
  return namesSecret(name ?? '')
}

function environmentStrand(
  { name, fallback, written }: Extract<RawPiece, { kind: 'environment' }>,
  source: WeaveText,
  { environment, choice, ownVariables }: WeaveFacts,
  sheet: WeaveSheet,
): Strand {
  // The program fills it in from its own environment.
  if (source.place === 'argument' && ownVariables?.has(name) === true)
    return { kind: 'written', text: written }
  if (written.startsWith('%') && environment(name) === undefined)
    return unknownStrand(written, source, sheet)
  sheet.asked.add(name)
  if (choice.asWritten.includes(name)) return { kind: 'text', text: written }
  if (choice.passed.includes(name)) return { kind: 'environment', name }
  const value = choice.environment.includes(name) ? environment(name) : undefined
  if (value === undefined) {
    // A variable that asks for itself says no more than that it has no value here.
    if (source.place !== 'variable' || source.name !== name)
      sheet.open.push({ spot: spotOf(source), asks: `env:${name}` })
    return fallback === undefined ? { kind: 'fill' } : { kind: 'text', text: fallback }
  }
  return namesSecret(name)
    ? { kind: 'secret', text: value, label: name }
    : { kind: 'text', text: value }
}

/** Which argument it is says nothing: others may stand before it in another configuration. */
function spotOf({ place, name = '' }: TextContext): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`
}

/** Stands for what is filled in, while the text around it is searched. */
const FILLED = '\uE000'

/** Searches the whole text, so that what stands beside a placeholder is judged by the names before it too. */
function splitSecrets(strands: readonly Strand[], context: TextContext): Strand[] {
  const written = (strand: Strand): string => (strand.kind === 'text' ? strand.text : FILLED)
  const spans = findSecrets(strands.map(written).join(''), context)
  const split: Strand[] = []
  let offset = 0
  for (const strand of strands) {
    if (strand.kind === 'text') split.push(...splitText(strand.text, offset, spans))
    else split.push(strand)
    offset += written(strand).length
  }
  return split
}

/** `spans` count from the start of the whole text, in which this one begins at `offset`. */
function splitText(text: string, offset: number, spans: readonly SecretSpan[]): Strand[] {
  const split: Strand[] = []
  let from = 0
  for (const { start, end, label } of spans) {
    const first = Math.max(start - offset, 0)
    const secret = text.slice(first, Math.max(end - offset, 0))
    const isWhole = start >= offset && end <= offset + text.length
    // Between two placeholders, a colon or a dash says nothing.
    if (secret === '' || !(isWhole || /[\p{L}\p{N}]/u.test(secret))) continue
    split.push({ kind: 'text', text: text.slice(from, first) })
    split.push({ kind: 'secret', text: secret, label })
    from = first + secret.length
  }
  return [...split, { kind: 'text', text: text.slice(from) }]
}

function secretPiece(
  strand: Extract<Strand, { kind: 'secret' }>,
  id: string,
  { place }: TextContext,
  { choice }: WeaveFacts,
  sheet: WeaveSheet,
): HandPiece {
  const isKept = !choice.open.includes(id)
  sheet.secrets.push({ id, label: strand.label, place, isKept })
  if (!isKept) return { kind: 'text', text: strand.text }
  return { kind: 'secret', secret: isStandIn(strand.text) ? '' : strand.text }
}

/** Texts that stand side by side as one; empty ones left out. */
function joinTexts<T extends { readonly kind: string }>(
  strands: readonly (T | { readonly kind: 'text'; readonly text: string })[],
): (T | { readonly kind: 'text'; readonly text: string })[] {
  const joined: (T | { readonly kind: 'text'; readonly text: string })[] = []
  for (const strand of strands) {
    const last = joined.at(-1)
    if (!isText(strand)) joined.push(strand)
    else if (strand.text === '') continue
    else if (last && isText(last))
      joined[joined.length - 1] = { kind: 'text', text: last.text + strand.text }
    else joined.push(strand)
  }
  return joined
}

function isText(strand: {
  readonly kind: string
}): strand is { readonly kind: 'text'; readonly text: string } {
  return strand.kind === 'text'
}

/** The path of a text of the server. */
export function pathIn({ path }: WeaveSheet, id: string): string {
  return path === '' ? id : `${path}.${id}`
}
