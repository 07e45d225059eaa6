import { offerOf } from '../../core/installation/installation-service'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { systemTime } from '../../core/lifecycle/system-time'
import type { SecretBackend, Timekeeper } from '../../core/ports'
import type { ServerDirectory } from '../../core/servers/server-directory'
import { SignIns } from '../../core/sign-in/sign-ins'
import type { StateFeed } from '../../core/state/state-feed'

/** Opens the sign-ins at remote servers, and looks who is signed in; a start follows each new one. */
export function openSignIn(parts: {
  readonly store: ProfileDocument
  readonly secrets: SecretBackend
  readonly fetch: typeof globalThis.fetch
  readonly feed: StateFeed
  readonly servers: () => ServerDirectory
  readonly time?: Timekeeper
}): SignIns {
  const { store, feed, servers } = parts
  const signIns = new SignIns({
    ...parts,
    time: parts.time ?? systemTime,
    clientMetadataUrl: () => store.settings.clientMetadataUrl,
    onDidChange: (installationId) => feed.serverChanged(installationId),
    onSignedIn: (installationId) => {
      const server = servers().find(installationId)
      // One that serves goes on with what the new sign-in allows.
      if (server && !server.reconnect()) server.start()
    },
    onLost: (installationId) => servers().find(installationId)?.signInLost(),
    onLog: (installationId, level, text) =>
      servers().find(installationId)?.log.append('patchbay', level, text),
  })
  void lookAll(store, signIns)
  return signIns
}

/** Never rejects: a keychain that does not answer says so when a server starts. */
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
