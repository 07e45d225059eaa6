import type { RequestChannel } from '../../../src-shared/ipc/channels'
import type { ParsedInput, RequestOutput } from '../../../src-shared/ipc/contract/contract'

/** What answers a request of the files of hosts. */
type HostsAnswer<C extends Extract<RequestChannel, `hosts.${string}`>> = (
  input: ParsedInput<C>,
) => Promise<RequestOutput<C>>

/** How agent apps are connected, and what came of it. */
type HostConnections = {
  readonly previewConnect: HostsAnswer<'hosts.previewConnect'>
  readonly connect: HostsAnswer<'hosts.connect'>
  readonly previewDisconnect: HostsAnswer<'hosts.previewDisconnect'>
  readonly disconnect: HostsAnswer<'hosts.disconnect'>
  readonly accept: HostsAnswer<'hosts.accept'>
}

/** How the servers of agent apps become Patchbay's. */
export type HostImports = {
  readonly servers: HostsAnswer<'hosts.servers'>
  readonly previewSwitchOff: HostsAnswer<'hosts.previewSwitchOff'>
  readonly import: HostsAnswer<'hosts.import'>
}
