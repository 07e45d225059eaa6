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

/** Context for interpolation: placeholders, Patchbay's own environment, and the user's choices. */
export type ReadContext = PlaceholderFacts & {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly choice: Pick<ServerChoice, 'open' | 'environment' | 'passed' | 'asWritten'>
  /** Variables that the entry itself sets. */
  readonly ownVariables?: ReadonlySet<string>
}

/** A value that the configuration leaves open: a placeholder, or the start of a path. */
type OpenPlaceholder = {
  /** Equal for the same text of the same server in any configuration. */
  readonly path: string
  /** `input:ID`, `env:NAME`, or the path's text. */
  readonly asks: string
}

/** The findings of reading one server's texts. */
export type ReadFindings = {
  /** Path of the server in the configuration. */
  readonly path: string
  readonly secrets: RecognisedSecret[]
  /** Names of the requested variables. */
  readonly inputs: Set<string>
  readonly open: OpenPlaceholder[]
  readonly notices: ConfigurationNotice[]
}

/** A text with its id and path; each of several secrets in it has its own id. */
export type SourceText = TextContext & { readonly id: string; readonly text: string }

type Segment =
  | TextSegment
  /** Text that looks like a secret, or has a secret's name. */
  | { readonly kind: 'recognized'; readonly text: string; readonly label: string }
  /** A placeholder that stays and isn't part of a secret. */
  | { readonly kind: 'written'; readonly text: string }

/** Converts a text of the configuration: fills in placeholders and recognizes secrets. */
export function interpolateText(
  source: SourceText,
  facts: ReadContext,
  findings: ReadFindings,
): CustomServerText {
  const raw = keepInSecrets(splitPlaceholders(source.text, facts), source, findings)
  const segments = joinTexts(raw.map((piece) => segmentOf(piece, source, facts, findings)))
  let count = 0
  const pieces = splitSecrets(segments, source).map((segment): TextSegment => {
    if (segment.kind === 'written') return { kind: 'text', text: segment.text }
    if (segment.kind !== 'recognized') return segment
    count += 1
    const id = count === 1 ? source.id : `${source.id} ${String(count)}`
    return secretPiece(segment, id, source, facts, findings)
  })
  return joinTexts(pieces)
}

/**
 * A password may contain a dollar sign, so placeholders within a secret are never filled in. A secret that consists only of placeholders
 * names its source.
 */
function keepInSecrets(
  raw: readonly RawPiece[],
  source: SourceText,
  findings: ReadFindings,
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
    addNoticeAt(findings, source.id, `${piece.written} is inside a secret and is not replaced.`)
    return { kind: 'text', text: piece.written }
  })
}

function segmentOf(
  piece: RawPiece,
  source: SourceText,
  facts: ReadContext,
  findings: ReadFindings,
): Segment {
  switch (piece.kind) {
    case 'text':
      return piece
    case 'place':
      return { kind: 'text', text: namesSecret(source.name ?? '') ? piece.written : piece.text }
    case 'unknown':
      return unknownSegment(piece.written, source, findings)
    case 'ask':
      findings.open.push({ path: pathOf(source), asks: `input:${piece.id}` })
      if (piece.initial !== undefined) return { kind: 'text', text: piece.initial }
      addNoticeAt(findings, source.id, `Asks for: ${piece.label}`)
      return fillOf(piece.label, source)
    case 'environment':
      return environmentSegment(piece, source, facts, findings)
  }
}

/** Names a field after its placeholder, unless the text's own name is the same. */
function fillOf(label: string, source: SourceText): Segment {
  const fill = { kind: 'secret', secret: '' } as const
  return source.name === label ? fill : { ...fill, label: label.slice(0, 200) }
}

function unknownSegment(written: string, source: SourceText, findings: ReadFindings): Segment {
  addNoticeAt(
    findings,
    source.id,
    `${written} is not defined and is not replaced. Enter a value instead.`,
  )
  return { kind: 'written', text: written }
}

function environmentSegment(
  { name, fallback, written }: Extract<RawPiece, { kind: 'environment' }>,
  source: SourceText,
  { environment, choice, ownVariables }: ReadContext,
  findings: ReadFindings,
): Segment {
  // The program fills it in from its own environment.
  if (source.place === 'argument' && ownVariables?.has(name) === true)
    return { kind: 'written', text: written }
  const there = Object.hasOwn(environment, name) ? environment[name] : undefined
  if (written.startsWith('%') && there === undefined)
    return unknownSegment(written, source, findings)
  findings.inputs.add(name)
  if (choice.asWritten.includes(name)) return { kind: 'text', text: written }
  if (choice.passed.includes(name)) return { kind: 'environment', name }
  const value = choice.environment.includes(name) ? there : undefined
  if (value === undefined) {
    // A variable that only references itself adds no information.
    if (source.place !== 'variable' || source.name !== name)
      findings.open.push({ path: pathOf(source), asks: `env:${name}` })
    if (fallback !== undefined) return { kind: 'text', text: fallback }
    return fillOf(name, source)
  }
  return namesSecret(name)
    ? { kind: 'recognized', text: value, label: name }
    : { kind: 'text', text: value }
}

/** The argument's index is irrelevant: another configuration may have others before it. */
function pathOf({ place, name = '' }: TextContext): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`
}

/** Replaces filled-in values while the surrounding text is searched. */
const FILLED = '\uE000'

/** Searches the whole text, so that names before a placeholder apply to the text after it, too. */
function splitSecrets(segments: readonly Segment[], context: TextContext): Segment[] {
  const written = (segment: Segment): string => (segment.kind === 'text' ? segment.text : FILLED)
  const spans = findSecrets(segments.map(written).join(''), context)
  const split: Segment[] = []
  let offset = 0
  for (const segment of segments) {
    if (segment.kind === 'text') split.push(...splitText(segment.text, offset, spans))
    else split.push(segment)
    offset += written(segment).length
  }
  return split
}

/** `spans` are relative to the whole text, in which this one starts at `offset`. */
function splitText(text: string, offset: number, spans: readonly SecretSpan[]): Segment[] {
  const split: Segment[] = []
  let from = 0
  for (const { start, end, label } of spans) {
    const first = Math.max(start - offset, 0)
    const secret = text.slice(first, Math.max(end - offset, 0))
    const isWhole = start >= offset && end <= offset + text.length
    // A colon or a dash between two placeholders isn't a secret.
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
  findings: ReadFindings,
): TextSegment {
  const isKept = !choice.open.includes(id)
  findings.secrets.push({ id, label: segment.label, place: source.place, isKept })
  if (!isKept) return { kind: 'text', text: segment.text }
  const { text } = segment
  // The user decided that this isn't a placeholder.
  if (choice.asWritten.some((name) => text.includes(name))) return { kind: 'secret', secret: text }
  if (isPlaceholder(text)) unknownSegment(text, source, findings)
  return { kind: 'secret', secret: isStandIn(text) ? '' : text }
}

type Text = { readonly kind: 'text'; readonly text: string }

/** Joins adjacent texts and drops empty ones. */
function joinTexts<T extends { readonly kind: string }>(
  segments: readonly (T | Text)[],
): (T | Text)[] {
  const joined: (T | Text)[] = []
  for (const segment of segments) {
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

/** Adds a notice about a text of the server. */
export function addNoticeAt({ path, notices }: ReadFindings, id: string, message: string): void {
  notices.push({ path: path === '' ? id : `${path}.${id}`, message })
}
