import './review.css'
import '../../ui/diff/changed-lines.css'

import { diffArrays, diffWordsWithSpace } from 'diff'
import type { JSX } from 'react'

import type { Tool } from '../../../src-shared/domain/agents/capability'
import type { SecurityWarning } from '../../../src-shared/domain/agents/tools'
import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { isJsonObject } from '../../../src-shared/domain/json-object'
import { CHANGE_LOOKS, ChangedLines } from '../../ui/diff/changed-lines'
import { ScrollRegion } from '../../ui/layout/page'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { Tag } from '../../ui/marks/tag'
import { escapeInvisible } from '../../ui/text/untrusted-text'

/** One changed part of a tool's definition: prose word by word, other parts line by line. */
type PartChange = {
  readonly label: string
  readonly kind: 'same' | 'changed' | 'added' | 'removed'
  readonly isProse: boolean
  readonly pieces: readonly ChangedLine[]
}

/** Limits of the diff in edits and ms. Beyond them, all of the old text is removed and all of the new text added. */
const LIMITS = { maxEditLength: 2_000, timeout: 200 }
/** Minimum number of unchanged words that keep two changes separate. */
const MIN_COMMON_WORDS = 3
/** Number of unchanged lines shown around a change. */
const CONTEXT_LINES = 3

type Part = { readonly label: string; readonly text: string; readonly isProse: boolean }

function sortMembers(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns JSON with sorted keys over several lines, so that key order makes no change; empty for undefined. */
function jsonText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, sortMembers, 2)
}

function schemaParts(schema: unknown, noun: string): Part[] {
  const { properties, ...rest } = isJsonObject(schema) ? schema : { properties: undefined }
  if (!isJsonObject(properties)) return [lines(`${noun}s: schema`, schema)]
  return [
    ...Object.entries(properties).flatMap(([name, one]) => propertyParts(`${noun} ${name}`, one)),
    lines(`${noun}s: rest of the schema`, rest),
  ]
}

function propertyParts(of: string, schema: unknown): Part[] {
  const { description, ...rest } = isJsonObject(schema) ? schema : { description: undefined }
  if (typeof description !== 'string') return [lines(`${of}: schema`, schema)]
  return [prose(`${of}: description`, description), lines(`${of}: schema`, rest)]
}

function prose(label: string, text: string): Part {
  return { label: escapeInvisible(label), text, isProse: true }
}

function lines(label: string, value: unknown): Part {
  return { label: escapeInvisible(label), text: jsonText(value), isProse: false }
}

/** Returns the parts of a definition that a user reads separately, by unique label. */
function partsOf(tool: Tool): Map<string, Part> {
  const { title, description, annotations, inputSchema, outputSchema } = tool
  const parts = [
    ...(title === undefined ? [] : [prose('Title', title)]),
    ...(description === undefined ? [] : [prose('Description', description)]),
    ...(annotations === undefined ? [] : [lines('Annotations', annotations)]),
    ...schemaParts(inputSchema, 'Argument'),
    ...(outputSchema === undefined ? [] : schemaParts(outputSchema, 'Result field')),
  ]
  return new Map(parts.map((part) => [part.label, part]))
}

function piecesOf(before: string, after: string): ChangedLine[] {
  const changes = diffWordsWithSpace(before, after, LIMITS)
  if (changes === undefined)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  return joined(changes.map((change) => ({ kind: kindOf(change), text: change.value })))
}

function kindOf(change: {
  readonly added: boolean
  readonly removed: boolean
}): ChangedLine['kind'] {
  if (change.added) return 'added'
  return change.removed ? 'removed' : 'same'
}

/** Whether the text between two changes is too short to keep them separate. */
function isGap(text: string): boolean {
  return text.split(/\s+/u).filter(Boolean).length < MIN_COMMON_WORDS
}

/** Merges adjacent changes and those separated by few words: first all removals, then all additions. */
function joined(pieces: readonly ChangedLine[]): ChangedLine[] {
  const result: ChangedLine[] = []
  const run = { removed: '', added: '' }
  const flush = (): void => {
    for (const kind of ['removed', 'added'] as const) {
      if (run[kind] !== '') result.push({ kind, text: run[kind] })
      run[kind] = ''
    }
  }
  for (const [index, { kind, text }] of pieces.entries()) {
    const isInside = index > 0 && index < pieces.length - 1
    if (kind !== 'same') run[kind] += text
    else if (isInside && isGap(text)) {
      run.removed += text
      run.added += text
    } else {
      flush()
      result.push({ kind, text })
    }
  }
  flush()
  return result
}

/** Returns the line changes between two texts. Too different texts become one removal and one addition. */
export function lineChanges(before: string, after: string): ChangedLine[] {
  const [old = [], now = []] = [before, after].map((text) => (text === '' ? [] : text.split('\n')))
  const changes = diffArrays(old, now, LIMITS) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ]
  return changes.flatMap((change) => change.value.map((text) => ({ kind: kindOf(change), text })))
}

/** Cuts long runs of unchanged lines to those near a change. */
function nearChanges(all: readonly ChangedLine[]): ChangedLine[] {
  const isNear = all.map((_, index) =>
    all
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some(({ kind }) => kind !== 'same'),
  )
  return all.flatMap((line, index): ChangedLine[] => {
    if (isNear[index]) return [line]
    return index > 0 && !isNear[index - 1] ? [] : [{ kind: 'same', text: '…' }]
  })
}

function partChange(label: string, was: Part | undefined, is: Part | undefined): PartChange[] {
  if (was?.text === is?.text) return []
  const kind = is === undefined ? 'removed' : 'changed'
  const isProse = (is ?? was)?.isProse === true
  const [before = '', after = ''] = [was, is].map((part) => escapeInvisible(part?.text ?? ''))
  const pieces = isProse ? piecesOf(before, after) : nearChanges(lineChanges(before, after))
  return [{ label, kind: was === undefined ? 'added' : kind, isProse, pieces }]
}

function toolParts(tool: Tool): PartChange[] {
  return [...partsOf(tool)].map(([label, { isProse, text }]) => {
    const shown = escapeInvisible(text)
    const pieces = (isProse ? [shown] : shown.split('\n')).map((piece): ChangedLine => ({
      kind: 'same',
      text: piece,
    }))
    return { label, kind: 'same', isProse, pieces }
  })
}

/** Returns the changed parts between two definitions of a tool, with invisible characters escaped. */
export function toolChanges(before: Tool, after: Tool): PartChange[] {
  const [old, now] = [partsOf(before), partsOf(after)]
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((label) =>
    partChange(label, old.get(label), now.get(label)),
  )
}

const KIND_LABEL = { same: '', changed: 'changed', added: 'new', removed: 'removed' } as const

function Parts({ parts }: { readonly parts: readonly PartChange[] }): JSX.Element {
  return (
    <div className="review-parts grid gap-4">
      {parts.map(({ label, kind, isProse, pieces }) => (
        <div key={label} className="grid min-w-0 gap-2">
          <h3 className="flex items-center gap-2 text-small font-medium wrap-anywhere">
            {label}
            {kind !== 'same' && (
              <Tag tone={kind === 'changed' ? 'warn' : 'plain'}>{KIND_LABEL[kind]}</Tag>
            )}
          </h3>
          {isProse ? (
            <ChangedText label={label} pieces={pieces} />
          ) : (
            <ChangedLines label={label} lines={pieces} />
          )}
        </div>
      ))}
    </div>
  )
}

/** The differences between two definitions of a tool, part by part. */
export function ToolDifference(props: {
  readonly before: Tool
  readonly after: Tool
}): JSX.Element {
  const { before, after } = props
  const parts = toolChanges(before, after)
  if (parts.length === 0)
    return (
      <p className="text-muted">Only the formatting changed. Agents read the same definition.</p>
    )
  return <Parts parts={parts} />
}

/** A complete definition, for example of a new tool. */
export function ToolDefinition({ tool }: { readonly tool: Tool }): JSX.Element {
  return <Parts parts={toolParts(tool)} />
}

/** Security warnings about a tool's texts. */
export function WarningList(props: {
  readonly securityWarnings: readonly SecurityWarning[]
}): JSX.Element | null {
  const { securityWarnings } = props
  if (securityWarnings.length === 0) return null
  return (
    <ul className="grid gap-1 wrap-anywhere" aria-label="Security warnings">
      {securityWarnings.map(({ where, message }, index) => (
        <li
          key={`${index} ${where}`}
          className="problem is-degraded flex gap-2 text-small font-medium text-status"
        >
          <StatusGlyph status="degraded" />
          <span>{message}</span>
        </li>
      ))}
    </ul>
  )
}

/** The changes within one text: added and removed words, marked visually and for screen readers. */
function ChangedText(props: {
  readonly label: string
  /** In order, with invisible characters escaped. */
  readonly pieces: readonly ChangedLine[]
}): JSX.Element {
  const { label, pieces } = props
  return (
    <ScrollRegion
      as="p"
      className="changed-words bounded rounded-lg border border-line bg-inset px-3 py-2 wrap-anywhere whitespace-pre-wrap text-muted"
      label={label}
      dir="auto"
    >
      {pieces.map(({ kind, text }, index) => {
        if (kind === 'same') return <span key={index}>{text}</span>
        const Mark = kind === 'added' ? 'ins' : 'del'
        return (
          <Mark key={index} className={CHANGE_LOOKS[kind]}>
            <span className="sr-only">{kind}: </span>
            {text}
          </Mark>
        )
      })}
    </ScrollRegion>
  )
}
