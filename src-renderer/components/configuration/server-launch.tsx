import type { ReactElement } from 'react'

import type { ConfiguredServer } from '../../../src-shared/domain/installation/configuration'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { visibleText } from '../../ui/text/visible-text'
import { type ArgvLine, ArgvList } from './argv-list'

/** The words for how a remote server is spoken to. */
export const TRANSPORTS = { 'streamable-http': 'HTTP', sse: 'SSE' } as const

/** What a server of a configuration would run or connect to, argument by argument; secrets are masked. */
export function ServerLaunch({
  preview,
  secretPlace = 'secret',
}: {
  readonly preview: LaunchPreview
  /** Said of each secret: where it goes. */
  readonly secretPlace?: string
}): ReactElement {
  const pairs = pairLines(preview, secretPlace)
  const isRemote = preview.kind === 'remote'
  return (
    <>
      <ArgvList
        label={isRemote ? 'Address' : 'Command'}
        numbered={!isRemote}
        lines={launchLines(preview, secretPlace)}
      />
      {pairs.length === 0 ? null : (
        <ArgvList label={isRemote ? 'Headers' : 'Environment'} numbered={false} lines={pairs} />
      )}
      {isRemote || preview.cwd === undefined ? null : (
        <p className="faint small">
          Runs in <code>{visibleText(preview.cwd)}</code>.
        </p>
      )}
    </>
  )
}

/** What the reading of a server changed, left out or asks to be filled in. */
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
    <ul className="stack gap-1 soft small break" aria-label={`Notes on ${name}`}>
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

type Shown = { readonly text: string; readonly secret: boolean; readonly name?: string }

function lineOf({ text, secret, name }: Shown, sign: string, secretPlace: string): ArgvLine {
  return {
    text: visibleText(text),
    secret,
    ...(name !== undefined && { lead: visibleText(`${name}${sign}`) }),
    origin: secret ? secretPlace : '',
    mine: false,
    joinsNext: false,
    state: 'plain',
  }
}

/** What would run or be connected to, line by line. */
function launchLines(preview: LaunchPreview, secretPlace: string): ArgvLine[] {
  return preview.kind === 'remote'
    ? [lineOf(preview.url, '', secretPlace)]
    : [{ text: preview.command, secret: false }, ...preview.args].map((one) =>
        lineOf(one, '', secretPlace),
      )
}

/** Its variables or headers. */
function pairLines(preview: LaunchPreview, secretPlace: string): ArgvLine[] {
  return preview.kind === 'remote'
    ? preview.headers.map((one) => lineOf(one, ': ', secretPlace))
    : preview.env.map((one) => lineOf(one, '=', secretPlace))
}

/** The launch in one line, for a glance. */
export function summaryLine(preview: LaunchPreview): string {
  return launchLines(preview, '')
    .map(({ text }) => (text === '' ? '""' : text))
    .join(' ')
}
