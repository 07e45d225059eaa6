import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const URL_OF_GATEWAY = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/mcp$/u

/** The port on which the gateway of a profile listens; undefined where none is said to. The key goes to no other address. */
export function gatewayPort(profileDir: string): number | undefined {
  const { url, pid } = readAddress(join(profileDir, 'gateway.json'))
  const [, port] = URL_OF_GATEWAY.exec(String(url)) ?? []
  // One that was killed leaves its file behind, and its port to whoever comes.
  return port !== undefined && typeof pid === 'number' && isRunning(pid) ? Number(port) : undefined
}

function readAddress(file: string): { readonly url?: unknown; readonly pid?: unknown } {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {} // not there, or being written: it is looked for again
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // it is gone, or another account's: the key is for neither
  }
}
