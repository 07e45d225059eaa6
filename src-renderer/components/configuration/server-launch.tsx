import clsx from 'clsx'
import type { ReactElement } from 'react'

import type { ConfiguredServer } from '../../../src-shared/domain/installation/configuration'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { visibleText } from '../../ui/text/untrusted-text'

/** Labels of the transports to a remote server. */
export const TRANSPORTS = { 'streamable-http': 'HTTP', sse: 'SSE' } as const

/** The command or address of a server in a configuration, argument by argument, with secrets masked. */
export function ServerLaunch(props: {
  readonly preview: LaunchPreview
  readonly secretPlace?: string
}): ReactElement {
  const { preview, secretPlace: secretLocation = 'secret' } = props
  const pairs = pairLines(preview, secretLocation)
  const isRemote = preview.kind === 'remote'
  return (
    <>
      <ArgvList
        label={isRemote ? 'Address' : 'Command'}
        numbered={!isRemote}
        lines={launchLines(preview, secretLocation)}
      />
      {pairs.length === 0 ? null : (
        <ArgvList label={isRemote ? 'Headers' : 'Environment'} numbered={false} lines={pairs} />
      )}
      {isRemote || preview.cwd === undefined ? null : (
        <p className="text-small text-faint">
          Runs in <code>{visibleText(preview.cwd)}</code>.
        </p>
      )}
    </>
  )
}

/** What the import of a server changed, ignored or needs the user to fill in. */
export function ServerNotes({
  server,
}: {
  readonly server: ConfiguredServer
}): ReactElement | null {
  const { notices, toFill, takenName } = server
  const name = visibleText(server.name)
  const lines = [
    ...(takenName === undefined
      ? []
      : [`Added as “${name}” because “${visibleText(takenName)}” is taken.`]),
    ...(toFill.length === 0 ? [] : [`Missing values: ${toFill.map(visibleText).join(', ')}.`]),
  ]
  if (lines.length + notices.length === 0) return null
  return (
    <ul className="grid gap-1 text-small wrap-anywhere text-muted" aria-label={`Notes on ${name}`}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {notices.map(({ path, message }, index) => (
        <li key={index}>
          <code>{visibleText(path)}</code>: {visibleText(message)}
        </li>
      ))}
    </ul>
  )
}

type ArgumentPart = { readonly text: string; readonly secret: boolean; readonly name?: string }

function lineOf(
  { text, secret, name }: ArgumentPart,
  sign: string,
  secretLocation: string,
): ArgvLine {
  return {
    text: visibleText(text),
    secret,
    ...(name !== undefined && { lead: visibleText(`${name}${sign}`) }),
    ...(secret && { origin: secretLocation }),
  }
}

function launchLines(preview: LaunchPreview, secretLocation: string): ArgvLine[] {
  return preview.kind === 'remote'
    ? [lineOf(preview.url, '', secretLocation)]
    : [{ text: preview.command, secret: false }, ...preview.args].map((one) =>
        lineOf(one, '', secretLocation),
      )
}

function pairLines(preview: LaunchPreview, secretLocation: string): ArgvLine[] {
  return preview.kind === 'remote'
    ? preview.headers.map((one) => lineOf(one, ': ', secretLocation))
    : preview.env.map((one) => lineOf(one, '=', secretLocation))
}

/** Returns the launch as one line. */
export function summaryLine(preview: LaunchPreview): string {
  return launchLines(preview, '')
    .map(({ text }) => (text === '' ? '""' : text))
    .join(' ')
}

/** One line of a command or an environment. */
export type ArgvLine = {
  readonly text: string
  readonly secret?: boolean
  /** Prefix of the text, never masked, such as `NAME=`. */
  readonly lead?: string
  /** Where the value of the line comes from. */
  readonly origin?: string
  readonly mine?: boolean
  /** Whether the next line belongs to this one: a flag before its value. */
  readonly joinsNext?: boolean
  /** Whether the user edits the line now, or the line is invalid. */
  readonly state?: 'live' | 'bad' | undefined
}

type ArgvListProps = { label: string; lines: readonly ArgvLine[]; numbered?: boolean }

function Text({ line }: { line: ArgvLine }): ReactElement {
  if (line.secret) return <span className="text-muted">{line.text}</span>
  // An empty line would look like a mistake.
  if (line.text === '') return <span className="text-faint">empty</span>
  return <>{line.text}</>
}

function originClass({ state, mine }: ArgvLine): string {
  if (state !== undefined) return 'text-status'
  return mine ? 'text-accent' : 'text-faint'
}

function Line({ line }: { line: ArgvLine }): ReactElement {
  return (
    <li
      className={clsx(
        'flex items-baseline gap-2',
        line.joinsNext && 'joined',
        line.state === 'live' && 'tint accented',
        line.state === 'bad' && 'tint is-error',
      )}
    >
      <code className="min-w-0 flex-1">
        {line.lead}
        <Text line={line} />
      </code>
      <span className={clsx('origin truncate text-micro', originClass(line))} title={line.origin}>
        {line.origin}
      </span>
    </li>
  )
}

/** A command argument by argument, numbered from 0, or an environment variable by variable. */
export function ArgvList({ label, lines, numbered = true }: ArgvListProps): ReactElement {
  const items = lines.map((line, index) => <Line key={index} line={line} />)
  const shared = {
    className: 'argv rounded-lg border border-line overflow-hidden bg-surface divide-y divide-line',
    'aria-label': label,
    role: 'list',
  }
  return numbered ? (
    <ol {...shared} start={0}>
      {items}
    </ol>
  ) : (
    <ul {...shared}>{items}</ul>
  )
}
