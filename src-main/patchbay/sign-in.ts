import { offerOf } from '../core/installation/installation-service'
import type { ProfileDocument } from '../core/installation/store/profile-document'
import { background } from '../core/lifecycle/background'
import { Emitter } from '../core/lifecycle/emitter'
import type { ServerDirectory } from '../core/servers/server-directory'
import type { ServerLogs } from '../core/servers/server-logs'
import { SignIns } from '../core/sign-in/sign-ins'
import type { HandlersOf } from '../ipc/answer'
import { type AppContext, openPage, type Shell } from './context'

export type SignInModule = {
  readonly signIns: SignIns
  /** Fires when the user has signed in at the server of an installation. */
  readonly onDidSignIn: (listener: (installationId: string) => void) => Disposable
  /** Fires when the sign-in of an installation is lost. */
  readonly onDidLose: (listener: (installationId: string) => void) => Disposable
}

/** Opens the sign-ins at remote servers, and looks who is signed in. */
export function openSignIn(
  { store, vault, time, changes }: AppContext,
  logs: ServerLogs,
  fetch: typeof globalThis.fetch,
): SignInModule {
  const signedIn = new Emitter<string>()
  const lost = new Emitter<string>()
  const signIns = new SignIns({
    ...{ store, time, fetch, secrets: vault },
    clientMetadataUrl: () => store.settings.clientMetadataUrl,
    onDidChange: (installationId) => changes.server(installationId),
    onSignedIn: (installationId) => signedIn.emit(installationId),
    onLost: (installationId) => lost.emit(installationId),
    onLog: (installationId, level, text) =>
      logs.find(installationId)?.append('patchbay', level, text),
  })
  background(lookAll(store, signIns), 'reading the sign-ins')
  return { signIns, onDidSignIn: signedIn.event, onDidLose: lost.event }
}

/** The requests about sign-ins; each rejects with NOT_FOUND for a server that is gone. */
export function signInHandlers(
  signIns: SignIns,
  servers: ServerDirectory,
  shell: Shell,
): HandlersOf<'signIn'> {
  return {
    'signIn.begin': ({ installationId, client, scopes }) => {
      servers.read(installationId)
      return signIns.of(installationId).begin(client, scopes)
    },
    'signIn.open': ({ installationId }) => {
      servers.read(installationId)
      return openPage(shell, signIns.of(installationId).address)
    },
    'signIn.cancel': ({ installationId }) => {
      servers.read(installationId)
      signIns.of(installationId).cancel()
    },
    'signIn.signOut': async ({ installationId }) => {
      servers.read(installationId).stopOrEscalate()
      return { revoked: await signIns.of(installationId).signOut() }
    },
  }
}

/** A keychain that does not answer is reported when a server starts. */
async function lookAll(
  { installations, removed }: ProfileDocument,
  signIns: SignIns,
): Promise<void> {
  for (const installation of [...installations, ...removed.map((one) => one.installation)]) {
    if (offerOf(installation).kind !== 'remote') continue
    await signIns
      .of(installation.installationId)
      .load()
      .catch(() => undefined)
  }
}
