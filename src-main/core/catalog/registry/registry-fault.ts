import type {
  RegistryFault,
  RegistryFaultCode,
} from '../../../../src-shared/domain/catalog/catalog-sync'
import { errorMessage } from '../../../../src-shared/domain/error-message'

/** A registry that couldn't be reached or sent an invalid response; never leaves the catalog as an exception. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'

  constructor(
    readonly fault: RegistryFault,
    /** HTTP status of the response, if there was one. */
    readonly status?: number,
  ) {
    super(fault.message)
  }
}

const NETWORK = 'Check your network and the registry’s address, then try again.'
const PORTAL = 'The network may require sign-in. Check it and the registry’s address.'
const LATER = 'Try again later.'
const OPERATOR = 'The fault is in the registry. Servers received so far are kept.'

const HINTS: Readonly<Record<RegistryFaultCode, string | undefined>> = {
  cancelled: undefined,
  unreachable: NETWORK,
  'timed-out': NETWORK,
  'cut-off': NETWORK,
  'too-large': OPERATOR,
  'bad-redirect': 'Check the registry’s address.',
  'sign-in-needed': 'Check the token of this registry.',
  'not-found': 'Check the registry’s address: it must be an API v0.1 URL.',
  busy: LATER,
  'server-error': LATER,
  refused: 'Check the registry’s address.',
  'web-page': PORTAL,
  'not-json': PORTAL,
  'wrong-shape': 'Check the registry’s address: it must be an API v0.1 URL.',
  'repeated-cursor': OPERATOR,
  'page-limit':
    'Servers received so far are kept. For a larger registry, raise the limit in Settings.',
  'empty-list': 'The catalog is unchanged. Try again later.',
  'unreadable-list': 'The catalog is unchanged. The fault is in the registry.',
  'shrunken-list':
    'The catalog is unchanged. If the next sync returns the same list, the missing servers are removed.',
  'token-unread': 'Unlock the keychain, or enter the token again, then try again.',
  'switched-off': 'Turn it on in Settings.',
  'store-failed': 'Check that the disk has space and that you can write to the profile folder.',
}

/** The fault of a registry; its address replaces the first `{address}` of the template. */
export function faultOf(baseUrl: string, code: RegistryFaultCode, template: string): RegistryFault {
  const message = template.replace('{address}', () => shownAddress(baseUrl))
  const hint = HINTS[code]
  return hint === undefined ? { code, message } : { code, message, hint }
}

/** The secret store failed to provide a registry's token; the registry itself wasn't asked. */
export function tokenFault(baseUrl: string): RegistryFault {
  const message = 'The token of the registry at {address} can’t be read from the keychain.'
  return faultOf(baseUrl, 'token-unread', message)
}

/** A failure of the catalog's own file, as the fault of a sync. */
export function storeFault(cause: unknown): RegistryFault {
  const reason = errorMessage(cause)
  const message = `The catalog couldn’t be saved: ${reason}.`
  return { code: 'store-failed', message, hint: HINTS['store-failed'] }
}

/** The address without user name and password. */
function shownAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
