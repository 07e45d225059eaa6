import type {
  RegistryFault,
  RegistryFaultCode,
} from '../../../../src-shared/domain/catalog/catalog-sync'

/** A registry that could not be asked, or answers what it should not; never leaves the catalog as an exception. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'

  constructor(
    readonly fault: RegistryFault,
    /** The status of the answer, where there was one. */
    readonly status?: number,
  ) {
    super(fault.message)
  }
}

const NETWORK = 'Check the network and the address of the registry, then try again.'
const PORTAL =
  'A network that asks for a sign-in can be the reason. Check it and the address of the registry.'
const LATER = 'Try again later.'
const OPERATOR = 'Whoever runs the registry can mend this. What came so far is kept.'

const HINTS: Readonly<Record<RegistryFaultCode, string | undefined>> = {
  cancelled: undefined,
  unreachable: NETWORK,
  'timed-out': NETWORK,
  'cut-off': NETWORK,
  'too-large': OPERATOR,
  'bad-redirect': 'Check the address of the registry.',
  'sign-in-needed': 'Check the token of this registry.',
  'not-found': 'Check the address of the registry: it has to be one of API v0.1.',
  busy: LATER,
  'server-error': LATER,
  refused: 'Check the address of the registry.',
  'web-page': PORTAL,
  'not-json': PORTAL,
  'wrong-shape': 'Check the address of the registry: it has to be one of API v0.1.',
  'repeated-cursor': OPERATOR,
  'page-limit':
    'What came so far is kept. If the registry is that large, raise the limit in the settings.',
  'empty-list': 'What the catalog held is kept. Try again later.',
  'unreadable-list': 'What the catalog held is kept. Whoever runs the registry can mend this.',
  'shrunken-list':
    'What the catalog held is kept. If the registry says the same next time, the others are taken away.',
  'token-unread': 'Unlock the keychain, or enter the token again, then try again.',
  'switched-off': 'Switch it on in Settings to ask it.',
  'store-failed': 'Check that the disk has room and that the profile folder can be written.',
}

/** A fault of the registry at an address; `what` goes on after "The registry at ADDRESS". */
export function faultOf(baseUrl: string, code: RegistryFaultCode, what: string): RegistryFault {
  const message = `The registry at ${shownAddress(baseUrl)} ${what}.`
  const hint = HINTS[code]
  return hint === undefined ? { code, message } : { code, message, hint }
}

/** The secret store failed when a registry's token was read: the registry itself was not asked. */
export function tokenFault(baseUrl: string): RegistryFault {
  const message = `The keychain did not give the token of the registry at ${shownAddress(baseUrl)}.`
  return { code: 'token-unread', message, hint: HINTS['token-unread'] }
}

/** A failure of the catalog's own file, as the fault of a sync. */
export function storeFault(cause: unknown): RegistryFault {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `The catalog could not be written: ${reason}.`
  return { code: 'store-failed', message, hint: HINTS['store-failed'] }
}

/** The address without a name and password that may stand in it. */
function shownAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
