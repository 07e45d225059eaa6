import { type MessagePort, parentPort, type Worker } from 'node:worker_threads'

import { type BirpcReturn, type ChannelOptions, createBirpc } from 'birpc'

/** The thread's end of its line: answers `calls`. `events` are those of the other end that nobody waits for. For the entry of a worker thread. */
export function serveThread<HostCalls extends object, Calls extends object>(
  calls: Calls,
  events: (keyof HostCalls)[] = [],
): BirpcReturn<HostCalls, Calls> {
  if (!parentPort) throw new Error('This file is the entry of a worker thread.')
  return createBirpc<HostCalls, Calls>(calls, { ...lineOf(parentPort), eventNames: events })
}

/** The main thread's end: what is asked of the thread, which may ask `hostCalls` in turn. */
export function threadBehind<
  Calls extends object,
  HostCalls extends object = Record<string, unknown>,
>(worker: Worker, hostCalls: HostCalls): BirpcReturn<Calls, HostCalls> {
  return createBirpc<Calls, HostCalls>(hostCalls, lineOf(worker))
}

/** Without a limit of time: who asks sets one, and a sync takes as long as its registry does. */
function lineOf(port: MessagePort | Worker): ChannelOptions & { readonly timeout: number } {
  return {
    post: (message) => port.postMessage(message),
    on: (listen) => void port.on('message', listen),
    timeout: -1,
  }
}
