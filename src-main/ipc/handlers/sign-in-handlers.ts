import { AppError } from '../../../src-shared/domain/app-error'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { SignIns } from '../../core/sign-in/sign-ins'
import type { Handlers } from '../answer'

export type SignInParts = {
  readonly servers: ServerDirectory
  readonly signIns: SignIns
  /** Opens a page in the browser of the system; missing where the page of the app does that itself. */
  readonly openExternal?: ((address: string) => Promise<void>) | undefined
}

/** Answers what concerns signing in at remote servers. */
export function signInHandlers({
  servers,
  signIns,
  openExternal,
}: SignInParts): Pick<Handlers, Extract<keyof Handlers, `signIn.${string}`>> {
  return {
    'signIn.begin': ({ installationId, client, scopes }) => {
      servers.read(installationId)
      return signIns.of(installationId).begin(client, scopes)
    },
    'signIn.open': async ({ installationId }) => {
      servers.read(installationId)
      const { address } = signIns.of(installationId)
      if (!openExternal) return noBrowser()
      await openExternal(address).catch(noBrowser)
    },
    'signIn.cancel': ({ installationId }) => {
      servers.read(installationId)
      signIns.of(installationId).cancel()
    },
    'signIn.signOut': async ({ installationId }) => {
      const server = servers.read(installationId)
      server.stopOrEscalate()
      return { revoked: await signIns.of(installationId).signOut() }
    },
  }
}

function noBrowser(cause?: unknown): never {
  throw new AppError('NOT_AVAILABLE_HERE', 'Can’t open a browser from here.', {
    cause,
    hint: 'Set a default browser in the system, then try again.',
  })
}
