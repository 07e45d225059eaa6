import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

import { attempt } from '../../../../src-shared/domain/attempt'
import type { ProcessTree } from '../../process/tree/process-tree'

/** Time for a port to answer, in ms. */
const RESPONSE_MS = 2_000
/** Ports and printed addresses to try. */
const MAX_TRIED = 6
/** State of a listening socket (proc_pid_net(5)). */
const LISTENING = '0A'

const PRINTED =
  /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|\*|[\w-]{1,60})?:(\d{2,5})(\/[\w./-]{0,100})?/iu
const PRINTED_PORT =
  /\bport\b[:=\s]{1,3}(\d{2,5})\b|\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|\*|:):(\d{2,5})\b/iu
const SERVES =
  /\b(?:listening|listens|running|serving|serves|started|starting|server|available|uvicorn|bound)\b/iu

/** An HTTP address that a process on this computer listens at. */
export type HttpListener = {
  readonly url: string
  /** Whether the address speaks MCP. */
  readonly isMcp: boolean
}

type Place = { readonly port: number; readonly path?: string | undefined }

/** Finds where a process tree serves HTTP: by its output, and on Linux by its sockets. Never rejects. */
export async function findHttpListener(
  tree: Pick<ProcessTree, 'look'>,
  lines: readonly string[],
): Promise<HttpListener | undefined> {
  const printed = lines.flatMap((line) => placeIn(line) ?? []).toReversed()
  const bound = listeningPorts((await tree.look()).map(({ pid }) => pid))
  const places = [
    ...printed,
    ...bound.filter((port) => !printed.some((one) => one.port === port)).map((port) => ({ port })),
  ].slice(0, MAX_TRIED)
  const listeners = await Promise.all(places.map((place) => tryPlace(place)))
  return listeners.find((one) => one?.isMcp) ?? listeners.find((one) => one !== undefined)
}

function placeIn(line: string): Place | undefined {
  if (!SERVES.test(line)) return undefined
  const [, port, path] = PRINTED.exec(line) ?? []
  if (port !== undefined) return { port: Number(port), path }
  const bare = PRINTED_PORT.exec(line)
  const number = bare?.[1] ?? bare?.[2]
  return number === undefined ? undefined : { port: Number(number) }
}

async function tryPlace({ port, path }: Place): Promise<HttpListener | undefined> {
  if (port < 1 || port > 65_535) return undefined
  const origin = `http://127.0.0.1:${String(port)}`
  const paths = [...new Set([path ?? '/mcp', '/mcp', '/sse', '/'])]
  let isHttp = false
  for (const one of paths) {
    const answer = await probe(`${origin}${one}`)
    if (answer === 'mcp') return { url: `${origin}${one}`, isMcp: true }
    if (answer === undefined) break
    isHttp = true
  }
  return isHttp ? { url: `${origin}${path ?? ''}`, isMcp: false } : undefined
}

/** The protocol that answers at an address; undefined if nothing does. */
async function probe(url: string): Promise<'mcp' | 'http' | undefined> {
  const isStream = url.endsWith('/sse')
  const signal = AbortSignal.timeout(RESPONSE_MS)
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const accept = isStream ? 'text/event-stream' : 'application/json, text/event-stream'
  const headers = { accept, ...(!isStream && { 'content-type': 'application/json' }) }
  try {
    const response = await fetch(url, {
      ...(isStream ? { method: 'GET' } : { method: 'POST', body: ping }),
      ...{ headers, signal, redirect: 'manual' as const },
    })
    const type = response.headers.get('content-type') ?? ''
    const isEvents = type.includes('text/event-stream')
    const text = isEvents ? '' : (await response.text()).slice(0, 10_000)
    if (isEvents) await response.body?.cancel()
    return (isEvents && response.ok) || text.includes('"jsonrpc"') ? 'mcp' : 'http'
  } catch {
    return undefined // nothing listens, or nothing that speaks HTTP
  }
}

/** TCP ports that processes listen at; empty if the system has no files for that. */
function listeningPorts(pids: readonly number[]): number[] {
  if (process.platform !== 'linux') return []
  const inodes = new Set(pids.flatMap((pid) => socketsOf(pid)))
  const ports = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => {
    const text = attempt(() => readFileSync(file, 'latin1')) ?? '' // no such protocol here
    const rows = text.split('\n').map((row) => row.trim().split(/\s+/u))
    return rows
      .filter((fields) => fields[3] === LISTENING && inodes.has(fields[9] ?? ''))
      .map((fields) => parseInt(fields[1]?.split(':')[1] ?? '', 16))
  })
  return [...new Set(ports)]
}

/** Empty for a process that has ended or belongs to another account. */
function socketsOf(pid: number): string[] {
  const folder = `/proc/${String(pid)}/fd`
  return (attempt(() => readdirSync(folder)) ?? []).flatMap((name) => {
    const target = attempt(() => readlinkSync(`${folder}/${name}`)) ?? ''
    return /^socket:\[(\d+)\]$/u.exec(target)?.[1] ?? []
  })
}
