import type { RequestChannel } from '../../../src-shared/ipc/channels'
import type { ParsedInput, RequestOutput } from '../../../src-shared/ipc/contract'

/** What answers a request of the files of hosts. */
type HostsAnswer<C extends Extract<RequestChannel, `hosts.${string}`>> = (
  input: ParsedInput<C>,
) => Promise<RequestOutput<C>>

/** How the servers of agent apps become Patchbay's. */
export type HostImports = {
  readonly servers: HostsAnswer<'hosts.servers'>
  readonly previewSwitchOff: HostsAnswer<'hosts.previewSwitchOff'>
  readonly import: HostsAnswer<'hosts.import'>
}
