import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/app-state'
import { AddServer, NoServers } from '../../server-parts/no-servers'
import { ServerTable } from '../../server-parts/server-table'
import { SuggestedButton } from '../../server-parts/suggested-button'
import { useServers } from '../../stores/app-store'
import { Page } from '../../ui/page'
import { StatusGlyph } from '../../ui/status-glyph'
import { needsAttention, STATUS_WORD, statusWords } from '../../ui/status-words'
import { afterName, homeWords, mostUrgentFirst } from './home-words'

function NeedsList({ servers }: { readonly servers: readonly ServerView[] }): JSX.Element {
  return (
    <ul className="needs">
      {servers.map((server, index) => {
        const { sentence, action } = statusWords(server, server.statusSince)
        return (
          <li key={server.installationId}>
            <StatusGlyph status={server.status.kind} label={STATUS_WORD[server.status.kind]} />
            <div className="why">
              <p>
                <b>{server.name}</b>
                {afterName(server.name, sentence)}
              </p>
            </div>
            {action && (
              <SuggestedButton
                inList
                server={server}
                action={action}
                variant={index === 0 && server.status.kind === 'error' ? 'primary' : 'default'}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Overview({ servers }: { readonly servers: readonly ServerView[] }): JSX.Element {
  const needy = mostUrgentFirst(servers.filter(needsAttention))
  const { headline, proof } = homeWords(servers)
  return (
    <div className="home-main">
      <div className="home-head">
        <div>
          <h2>{headline}</h2>
          {proof !== '' && <p>{`${proof.charAt(0).toUpperCase()}${proof.slice(1)}.`}</p>}
        </div>
      </div>
      {needy.length > 0 && (
        <section aria-labelledby="needs-head">
          <div className="section-head">
            <h2 id="needs-head">Needs attention</h2>
            <span className="count">{needy.length}</span>
          </div>
          <NeedsList servers={needy} />
        </section>
      )}
      <section aria-labelledby="servers-head">
        <div className="section-head">
          <h2 id="servers-head">Servers</h2>
          <span className="count">{servers.length}</span>
        </div>
        <ServerTable servers={servers} labelledBy="servers-head" />
      </section>
    </div>
  )
}

/** The answer first: how the servers are, who needs a person, and all of them in one table. */
export function HomePage(): JSX.Element {
  const servers = useServers()
  return (
    <Page title="Home" actions={servers.length > 0 && <AddServer />}>
      {servers.length === 0 ? (
        <NoServers message="Pick one from the catalog, fill in its form, and watch it start." />
      ) : (
        <Overview servers={servers} />
      )}
    </Page>
  )
}
