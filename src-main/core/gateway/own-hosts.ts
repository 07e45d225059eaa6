const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const HOST = /^(\[[\da-f:]+\]|[^:[\]]+?)\.?(?::(\d{1,5}))?$/u
/** A host that can be repeated in an error; anything else was sent to be seen. */
const PLAIN = /^[\w.:[\]-]{1,100}$/u

/** Whether the `Host` of a request names this gateway: this computer with its port, or a name that the user added, with any port, as containers and tunnels map ports. */
export function isOwnHost(host: string, port: number, added: readonly string[]): boolean {
  const [, name = '', given] = HOST.exec(host.toLowerCase()) ?? []
  return added.includes(name) || (LOOPBACK_NAMES.includes(name) && given === String(port))
}

/** Why the gateway rejects a host, for the person who set up its agent. */
export function strangeHost(host: string | undefined): string {
  const named = host !== undefined && PLAIN.test(host) ? `the host ${host}` : 'this host'
  return `This address does not accept requests for ${named}, only for 127.0.0.1 and localhost with its port. If your agent runs in a container or a virtual machine and needs this name, add it in Patchbay under Settings > Advanced > Host names.`
}
