import { type JSX, useId, useState } from 'react'

import { connectionSentence, isBrokenConnection } from '../../../components/app/connection-messages'
import { fileProblem, fileWarning, shortPath } from '../../../components/app/file-messages'
import type { HostRow } from '../../../components/app/host-rows'
import { useGatewayUrl } from '../../../components/app/use-agents'
import { useApp } from '../../../stores/app-store'
import { useNow } from '../../../stores/now'
import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { Facts } from '../../../ui/layout/section'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { Dialog } from '../../../ui/overlays/dialog'
import { formatList, formatMoment, visibleText } from '../../../ui/text/format'
import { type ConnectedApp, ENTRY_LABEL } from '../app-groups'
import { ConnectionCheck } from './connect-check'
import { ConnectDialog, EntryMenu } from './connect-dialog'
import { SnippetView } from './snippet-view'

function Entry({ row }: { readonly row: HostRow }): JSX.Element | null {
  const now = useNow(60_000)
  const home = useApp(({ app }) => app?.info.homeDir)
  const [isRepairing, setIsRepairing] = useState(false)
  const { host, file, connection } = row
  if (!connection) return null
  const { state, writtenAt } = connection
  const isDrifted = isBrokenConnection(state)
  const isWritten = state === 'asWritten'
  const status = isWritten ? 'ready' : 'degraded'
  const written = writtenAt === undefined ? '' : `, written ${formatMoment(writtenAt, now)}`
  const problem = fileProblem(file)
  const warning = fileWarning(file)
  return (
    <>
      <Facts
        facts={{
          File: (
            <span className="flex items-center gap-2">
              <code className="min-w-0 flex-1 wrap-anywhere">{shortPath(file.path, home)}</code>
              <EntryMenu row={row} />
            </span>
          ),
          Entry: (
            <span className={`flex items-center gap-2 is-${status}`}>
              <StatusGlyph status={status} />
              {isWritten ? `In use${written}` : isDrifted ? 'Needs repair' : ENTRY_LABEL[state]}
            </span>
          ),
        }}
      />
      {!isWritten && (
        <Banner
          severity="warn"
          action={
            isDrifted &&
            problem === undefined && (
              <Button size="small" onClick={() => setIsRepairing(true)}>
                Repair
              </Button>
            )
          }
        >
          {connectionSentence(connection, host.name, undefined)}
          {problem !== undefined && ` ${visibleText(problem)}`}
        </Banner>
      )}
      {warning !== undefined && <Banner severity="warn">{visibleText(warning)}</Banner>}
      {file.sharedWith.length > 0 && (
        <p className="text-small text-faint">{`${formatList(file.sharedWith)} ${file.sharedWith.length === 1 ? 'reads' : 'read'} the same file.`}</p>
      )}
      {isRepairing && <ConnectDialog row={row} onClose={() => setIsRepairing(false)} />}
    </>
  )
}

function Test(props: { readonly app: ConnectedApp; readonly onClose: () => void }): JSX.Element {
  const {
    app: {
      agent: { agentId, name },
      entries,
    },
    onClose,
  } = props
  const [since] = useState(() => Date.now())
  const host = entries[0]?.host ?? { name, reload: `Restart ${name}.` }
  return (
    <Dialog onClose={onClose} title={`Test connection of ${name}`} leave="Close">
      <div className="mt-3 grid gap-3">
        <ConnectionCheck agentId={agentId} host={host} since={since} />
      </div>
    </Dialog>
  )
}

/** How an app connects: its entries in files or the address, its key, and a test. */
export function ConnectionSection({ app }: { readonly app: ConnectedApp }): JSX.Element {
  const { agent, entries } = app
  const id = useId()
  const now = useNow(60_000)
  const url = useGatewayUrl()
  const [over, setOver] = useState<'test' | 'copy' | null>(null)
  const close = (): void => setOver(null)
  return (
    <section className="app-part grid min-w-0 gap-3" aria-labelledby={`${id}-head`}>
      <h3 id={`${id}-head`}>Connection</h3>
      {entries.map((row) => (
        <Entry key={row.rowId} row={row} />
      ))}
      <Facts
        facts={{
          Address: entries.length === 0 && <code>{url}</code>,
          Key: <code>{`pb_••••${agent.keyTail}`}</code>,
          ID: <code>{agent.agentId}</code>,
          Added: formatMoment(agent.createdAt, now),
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => setOver('test')}>
          Test connection
        </Button>
        <Button size="small" variant="quiet" onClick={() => setOver('copy')}>
          Copy config
        </Button>
      </div>
      {over === 'test' && <Test app={app} onClose={close} />}
      {over === 'copy' && (
        <Dialog
          wide
          onClose={close}
          title={`Copy config of ${agent.name}`}
          description={`For HTTP, replace KEY with the key that ends in ${agent.keyTail}. Lost the key? Replace it.`}
          leave="Close"
        >
          <SnippetView agentId={agent.agentId} agentKey="KEY" />
        </Dialog>
      )}
    </section>
  )
}
