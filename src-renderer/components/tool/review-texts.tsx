import './review.css'
import '../../ui/diff/changed-lines.css'

import type { JSX } from 'react'

import type { Tool } from '../../../src-shared/domain/agents/capability'
import type { SecurityWarning } from '../../../src-shared/domain/agents/tools'
import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { CHANGE_LOOKS } from '../../ui/diff/changed-lines'
import { ChangedLines } from '../../ui/diff/changed-lines'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { Tag } from '../../ui/marks/tag'
import { type PartChange, toolChanges, toolParts } from './review-changes'

const KIND_WORD = { same: '', changed: 'changed', added: 'new', removed: 'removed' } as const

function Part({ part: { label, kind, body } }: { readonly part: PartChange }): JSX.Element {
  return (
    <div className="stack gap-2 slim">
      <h3 className="row gap-2 small medium break">
        {label}
        {kind !== 'same' && (
          <Tag tone={kind === 'changed' ? 'warn' : 'plain'}>{KIND_WORD[kind]}</Tag>
        )}
      </h3>
      {body.as === 'prose' ? (
        <ChangedWords label={label} pieces={body.pieces} />
      ) : (
        <ChangedLines label={label} lines={body.lines} />
      )}
    </div>
  )
}

function Parts({ parts }: { readonly parts: readonly PartChange[] }): JSX.Element {
  return (
    <div className="review-parts stack gap-4">
      {parts.map((part) => (
        <Part key={part.label} part={part} />
      ))}
    </div>
  )
}

/** What differs between two definitions of a tool, part by part. */
export function ToolDifference({
  before,
  after,
}: {
  readonly before: Tool
  readonly after: Tool
}): JSX.Element {
  const parts = toolChanges(before, after)
  if (parts.length === 0)
    return <p className="soft">Only the formatting changed. Agents read the same definition.</p>
  return <Parts parts={parts} />
}

/** A whole definition, as of a tool that is new. */
export function ToolDefinition({ tool }: { readonly tool: Tool }): JSX.Element {
  return <Parts parts={toolParts(tool)} />
}

/** What a user should look at in a tool's texts. */
export function WarningList({
  securityWarnings,
}: {
  readonly securityWarnings: readonly SecurityWarning[]
}): JSX.Element | null {
  if (securityWarnings.length === 0) return null
  return (
    <ul className="stack gap-1 break" aria-label="Security warnings">
      {securityWarnings.map(({ where, message }, index) => (
        <li key={`${index} ${where}`} className="problem tone flex gap-2 small medium is-degraded">
          <StatusGlyph status="degraded" />
          <span>{message}</span>
        </li>
      ))}
    </ul>
  )
}

/** What changed within one text: words taken out and put in, each told by its mark and by a word for screen readers. */
function ChangedWords({
  label,
  pieces,
}: {
  readonly label: string
  /** In order, with nothing in them that cannot be seen. */
  readonly pieces: readonly ChangedLine[]
}): JSX.Element {
  return (
    <p
      className="changed-words well box pad-row bounded soft break keep-lines scroll"
      role="region"
      aria-label={label}
      tabIndex={0}
      dir="auto"
    >
      {pieces.map(({ kind, text }, index) => {
        if (kind === 'same') return <span key={index}>{text}</span>
        const Mark = kind === 'added' ? 'ins' : 'del'
        return (
          <Mark key={index} className={CHANGE_LOOKS[kind]}>
            <span className="sr">{kind}: </span>
            {text}
          </Mark>
        )
      })}
    </p>
  )
}
