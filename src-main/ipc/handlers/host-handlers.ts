import type { OpenHosts } from '../../patchbay/parts/open-hosts'
import type { Handlers } from '../answer'

export type HostParts = { readonly hosts: OpenHosts }

/** Answers what concerns the files of agent apps. */
export function hostHandlers({
  hosts,
}: HostParts): Pick<Handlers, Extract<keyof Handlers, `hosts.${string}`>> {
  const { connections, imports } = hosts
  return {
    'hosts.look': () => hosts.look(),
    'hosts.addFolder': ({ path }) => hosts.addFolder(path),
    'hosts.removeFolder': ({ path }) => hosts.removeFolder(path),
    'hosts.previewConnect': (input) => connections.previewConnect(input),
    'hosts.connect': (input) => connections.connect(input),
    'hosts.previewDisconnect': (input) => connections.previewDisconnect(input),
    'hosts.disconnect': (input) => connections.disconnect(input),
    'hosts.accept': (input) => connections.accept(input),
    'hosts.undo': ({ changeId }) => hosts.undo(changeId),
    'hosts.servers': (input) => imports.servers(input),
    'hosts.previewSwitchOff': (input) => imports.previewSwitchOff(input),
    'hosts.import': (input) => imports.import(input),
  }
}
