import type { ReactElement } from 'react'

import type { ConfiguredServer } from '../../../src-shared/domain/installation/configuration'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { visibleText } from '../../ui/text/visible-text'
import { ArgvList } from './argv-list'
import { launchLines, pairLines } from './server-lines'

/** The words for how a remote server is spoken to. */
export const TRANSPORTS = { 'streamable-http': 'HTTP', sse: 'SSE' } as const

/** What a server of a configuration would run or connect to, argument by argument; secrets are masked. */
export function ServerLaunch({ preview }: { readonly preview: LaunchPreview }): ReactElement {
  const pairs = pairLines(preview)
  const isRemote = preview.kind === 'remote'
  return (
    <>
      <ArgvList
        label={isRemote ? 'Address' : 'Command'}
        numbered={!isRemote}
        lines={launchLines(preview)}
      />
      {pairs.length === 0 ? null : (
        <ArgvList label={isRemote ? 'Headers' : 'Environment'} numbered={false} lines={pairs} />
      )}
      {isRemote || preview.cwd === undefined ? null : (
        <p className="faint">
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
