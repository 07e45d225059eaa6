import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/app-state'
import { AddServer, NoServers } from '../../server-parts/no-servers'
import { serverActions } from '../../server-parts/server-actions'
import { ServerMenu } from '../../server-parts/server-menu'
import { ServerTable } from '../../server-parts/server-table'
import { useServers } from '../../stores/app-store'
import { Page } from '../../ui/page'

function RowEnd({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name, enabled } = server
  return (
    <>
      <td className="narrow-cell">
        <input
          type="checkbox"
          role="switch"
          className="switch"
          aria-label={`${name} enabled`}
          checked={enabled}
          onChange={(event) =>
            void serverActions.setEnabled(installationId, event.currentTarget.checked)
          }
        />
      </td>
      <td className="narrow-cell right">
        <ServerMenu withRun server={server} label={`Actions for ${name}`} />
      </td>
    </>
  )
}

/** Every server with its switch and its menu. */
export function ServersPage(): JSX.Element {
  const servers = useServers()
  return (
    <Page
      title="Servers"
      meta={<span className="faint num">{servers.length}</span>}
      actions={servers.length > 0 && <AddServer />}
    >
      {servers.length === 0 ? (
        <NoServers message="What you set up from the catalog stands here, with its state and its log." />
      ) : (
        <ServerTable
          servers={servers}
          label="Servers"
          endHeads={
            <>
              <th scope="col">Enabled</th>
              <th scope="col">
                <span className="sr">Actions</span>
              </th>
            </>
          }
          renderEnd={(server) => <RowEnd server={server} />}
        />
      )}
    </Page>
  )
}
