import { Plus } from 'lucide-react'
import type { ReactElement } from 'react'
import { useState } from 'react'

import type { AppState, ServerView } from '../../../../src-shared/domain/state/app-state'
import { call } from '../../../ipc/call'
import { useRequest } from '../../../ipc/use-request'
import { SecretDialog } from '../../../secret-parts/secret-dialog'
import { Button } from '../../../ui/controls/button'
import { ProblemText } from '../../../ui/fields/problem-text'
import { showToast } from '../../../ui/overlays/toast'
import { RestartLine } from '../setting/restart-line'
import { Section } from '../setting/setting-section'
import { OwnSecretRow } from './own-secret-row'
import { StoredSecretRow } from './stored-secret-row'

function whereText({ kind }: AppState['secretStore']): string {
  switch (kind) {
    case 'checking':
      return 'Patchbay is looking for the system’s keychain.'
    case 'keychain':
      return 'Values are in the system’s keychain and are never shown again.'
    case 'memory':
      return 'Names stay when Patchbay closes. Each value has to be entered again then.'
  }
}

function StoreDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  return (
    <SecretDialog
      title="Store a secret"
      description="Any server can use it: choose it by its name in the server’s form."
      name=""
      withValue
      confirmLabel="Store"
      onConfirm={async ({ name, value }) => {
        await call('secret.create', { name, value })
        showToast({ message: `${name} is stored.` })
      }}
      onClose={onClose}
    />
  )
}

/** The stored secrets that have no value here, asked for again whenever a value changed. */
function useEmptySecrets({ secrets, secretStore }: AppState): {
  readonly empty: readonly string[]
  readonly problem: string | undefined
} {
  const state = secrets.stored.map(({ secretId, changedAt }) => `${secretId} ${changedAt}`).join()
  const { loaded } = useRequest('secret.findEmpty', {}, { state: [secretStore.kind, state] })
  return {
    empty: loaded.kind === 'ready' ? loaded.value : [],
    problem: loaded.kind === 'failed' ? loaded.problem.message : undefined,
  }
}

/** Every secret by name and use: those that servers share, and those of one server each. */
export function SecretSection({ app }: { readonly app: AppState }): ReactElement {
  const { secrets, secretStore, servers } = app
  const [isStoring, setIsStoring] = useState(false)
  const { empty, problem } = useEmptySecrets(app)
  const users = new Set(secrets.stored.flatMap(({ uses }) => uses.map((use) => use.installationId)))
  const isWaiting = ({ installationId, unapplied }: ServerView): boolean =>
    users.has(installationId) && unapplied.length > 0
  return (
    <Section
      title="Secrets"
      aside={
        <Button id="store-secret" size="small" icon={Plus} onClick={() => setIsStoring(true)}>
          Store a secret
        </Button>
      }
    >
      <p className="soft">{whereText(secretStore)}</p>
      {problem === undefined ? null : <ProblemText>{problem}</ProblemText>}
      {secrets.stored.length === 0 ? (
        <p className="soft">
          No stored secret yet. One can serve several servers, and gets another value here, in one
          place.
        </p>
      ) : (
        <ul className="col divided roomy" aria-label="Stored secrets">
          {secrets.stored.map((secret) => (
            <StoredSecretRow
              key={secret.secretId}
              secret={secret}
              isEmpty={empty.includes(secret.secretId)}
            />
          ))}
        </ul>
      )}
      <RestartLine waiting={servers.filter(isWaiting)} />
      {secrets.own.length === 0 ? null : (
        <>
          <h3 className="medium" id="own-secrets">
            Used by one server only
          </h3>
          <ul className="col divided roomy" aria-labelledby="own-secrets">
            {secrets.own.map((use) => (
              <OwnSecretRow key={`${use.installationId} ${use.fieldKey}`} use={use} />
            ))}
          </ul>
        </>
      )}
      {isStoring && <StoreDialog onClose={() => setIsStoring(false)} />}
    </Section>
  )
}
