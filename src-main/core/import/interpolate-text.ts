import type {
  ConfigurationNotice,
  RecognisedSecret,
  ServerChoice,
} from '../../../src-shared/domain/installation/configuration'
import type {
  CustomServerText,
  TextSegment,
} from '../../../src-shared/domain/installation/custom-server'
import { namesSecret } from '../../../src-shared/domain/secret-name'
import {
  findSecrets,
  isPlaceholder,
  isStandIn,
  type SecretSpan,
  type TextContext,
} from '../../../src-shared/form/recognize-secrets'
import { type PlaceholderFacts, type RawPiece, splitPlaceholders } from './placeholders'

/** What a text needs to be read: placeholders, Patchbay's own environment, and what the user chose. */
export type ReadContext = PlaceholderFacts & {
  readonly environment: Readonly<Record<string, string | undefined>>
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
export type ReadFindings = {
  /** Where the server stands in the configuration. */
  readonly path: string
  readonly secrets: RecognisedSecret[]
  /** Names of the variables asked for. */
  readonly asked: Set<string>
  readonly open: OpenSpot[]
  readonly notices: ConfigurationNotice[]
}

/** A text with its id and path; of several secrets in it, each has an id of its own. */
export type SourceText = TextContext & { readonly id: string; readonly text: string }

type Segment =
  | TextSegment
  /** It looks like a secret, or is called so. */
  | { readonly kind: 'recognized'; readonly text: string; readonly label: string }
  /** A placeholder that stays: it is no part of a secret. */
  | { readonly kind: 'written'; readonly text: string }

/** Makes a text of the configuration a text of a server: placeholders filled in, secrets recognized. */
export function interpolateText(
  source: SourceText,
  facts: ReadContext,
  sheet: ReadFindings,
): CustomServerText {
  const raw = keepInSecrets(splitPlaceholders(source.text, facts), source, sheet)
  const strands = joinTexts(raw.map((piece) => segmentOf(piece, source, facts, sheet)))
  let count = 0
  const pieces = splitSecrets(strands, source).map((segment): TextSegment => {
    if (segment.kind === 'written') return { kind: 'text', text: segment.text }
    if (segment.kind !== 'recognized') return segment
    count += 1
    const id = count === 1 ? source.id : `${source.id} ${String(count)}`
    return secretPiece(segment, id, source, facts, sheet)
  })
  return joinTexts(pieces)
}

/**
 * A password may hold a dollar: what looks like a placeholder inside of a secret is never filled in. A secret that is nothing but
 * placeholders names where its value is.
 */
function keepInSecrets(
  raw: readonly RawPiece[],
  source: SourceText,
  sheet: ReadFindings,
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
    noteAt(sheet, source.id, `${piece.written} is inside a secret and is not replaced.`)
    return { kind: 'text', text: piece.written }
  })
}

function segmentOf(
  piece: RawPiece,
  source: SourceText,
  facts: ReadContext,
  sheet: ReadFindings,
): Segment {
  switch (piece.kind) {
    case 'text':
      return piece
    case 'place':
      return { kind: 'text', text: namesSecret(source.name ?? '') ? piece.written : piece.text }
    case 'unknown':
      return unknownSegment(piece.written, source, sheet)
    case 'ask':
      sheet.open.push({ spot: spotOf(source), asks: `input:${piece.id}` })
      if (piece.initial !== undefined) return { kind: 'text', text: piece.initial }
      noteAt(sheet, source.id, `Asks for: ${piece.label}`)
      return fillOf(piece.label, source)
    case 'environment':
      return environmentSegment(piece, source, facts, sheet)
  }
}

/** A field is called as the placeholder is, unless it stands where the name says as much. */
function fillOf(label: string, source: SourceText): Segment {
  const fill = { kind: 'secret', secret: '' } as const
  return source.name === label ? fill : { ...fill, label: label.slice(0, 200) }
}

function unknownSegment(written: string, source: SourceText, sheet: ReadFindings): Segment {
  noteAt(sheet, source.id, `${written} is not defined and is not replaced. Enter a value instead.`)
  return { kind: 'written', text: written }
}

function environmentSegment(
  { name, fallback, written }: Extract<RawPiece, { kind: 'environment' }>,
  source: SourceText,
  { environment, choice, ownVariables }: ReadContext,
  sheet: ReadFindings,
): Segment {
  // The program fills it in from its own environment.
  if (source.place === 'argument' && ownVariables?.has(name) === true)
    return { kind: 'written', text: written }
  const there = Object.hasOwn(environment, name) ? environment[name] : undefined
  if (written.startsWith('%') && there === undefined) return unknownSegment(written, source, sheet)
  sheet.asked.add(name)
  if (choice.asWritten.includes(name)) return { kind: 'text', text: written }
  if (choice.passed.includes(name)) return { kind: 'environment', name }
  const value = choice.environment.includes(name) ? there : undefined
  if (value === undefined) {
    // A variable that asks for itself says no more than that it has no value here.
    if (source.place !== 'variable' || source.name !== name)
      sheet.open.push({ spot: spotOf(source), asks: `env:${name}` })
    if (fallback !== undefined) return { kind: 'text', text: fallback }
    return fillOf(name, source)
  }
  return namesSecret(name)
    ? { kind: 'recognized', text: value, label: name }
    : { kind: 'text', text: value }
}

/** Which argument it is says nothing: others may stand before it in another configuration. */
function spotOf({ place, name = '' }: TextContext): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`
}

/** Stands for what is filled in, while the text around it is searched. */
const FILLED = '\uE000'

/** Searches the whole text, so that what stands beside a placeholder is judged by the names before it too. */
function splitSecrets(strands: readonly Segment[], context: TextContext): Segment[] {
  const written = (segment: Segment): string => (segment.kind === 'text' ? segment.text : FILLED)
  const spans = findSecrets(strands.map(written).join(''), context)
  const split: Segment[] = []
  let offset = 0
  for (const segment of strands) {
    if (segment.kind === 'text') split.push(...splitText(segment.text, offset, spans))
    else split.push(segment)
    offset += written(segment).length
  }
  return split
}

/** `spans` count from the start of the whole text, in which this one begins at `offset`. */
function splitText(text: string, offset: number, spans: readonly SecretSpan[]): Segment[] {
  const split: Segment[] = []
  let from = 0
  for (const { start, end, label } of spans) {
    const first = Math.max(start - offset, 0)
    const secret = text.slice(first, Math.max(end - offset, 0))
    const isWhole = start >= offset && end <= offset + text.length
    // Between two placeholders, a colon or a dash says nothing.
    if (secret === '' || !(isWhole || /[\p{L}\p{N}]/u.test(secret))) continue
    split.push({ kind: 'text', text: text.slice(from, first) })
    split.push({ kind: 'recognized', text: secret, label })
    from = first + secret.length
  }
  return [...split, { kind: 'text', text: text.slice(from) }]
}

function secretPiece(
  segment: Extract<Segment, { kind: 'recognized' }>,
  id: string,
  source: SourceText,
  { choice }: ReadContext,
  sheet: ReadFindings,
): TextSegment {
  const isKept = !choice.open.includes(id)
  sheet.secrets.push({ id, label: segment.label, place: source.place, isKept })
  if (!isKept) return { kind: 'text', text: segment.text }
  const { text } = segment
  // The user said that it is none.
  if (choice.asWritten.some((name) => text.includes(name))) return { kind: 'secret', secret: text }
  if (isPlaceholder(text)) unknownSegment(text, source, sheet)
  return { kind: 'secret', secret: isStandIn(text) ? '' : text }
}

type Text = { readonly kind: 'text'; readonly text: string }

/** Texts that stand side by side as one; empty ones left out. */
function joinTexts<T extends { readonly kind: string }>(
  strands: readonly (T | Text)[],
): (T | Text)[] {
  const joined: (T | Text)[] = []
  for (const segment of strands) {
    const last = joined.at(-1)
    if (!isText(segment)) joined.push(segment)
    else if (segment.text === '') continue
    else if (last && isText(last))
      joined[joined.length - 1] = { kind: 'text', text: last.text + segment.text }
    else joined.push(segment)
  }
  return joined
}

function isText(segment: { readonly kind: string }): segment is Text {
  return segment.kind === 'text'
}

/** Says something of a text of the server. */
export function noteAt({ path, notices }: ReadFindings, id: string, message: string): void {
  notices.push({ path: path === '' ? id : `${path}.${id}`, message })
}
