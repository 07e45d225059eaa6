// The entry of the thread that checks values against schemas that may take long; the main thread's sides of it are
// argument-checks.ts and, for what tools answer, output-checks.ts.
import { parentPort } from 'node:worker_threads'

import { createBirpc } from 'birpc'

import { findFaults, findProblems } from './find-faults'
import { prepareSchema } from './prepared-schema'
import type { SchemaCalls } from './schema-calls'

if (!parentPort) throw new Error('This file is the entry of a worker thread.')
const port = parentPort
const calls: SchemaCalls = {
  findFaults: (schema, args) => findFaults(prepareSchema(schema), args),
  findProblems: (schema, result) => {
    const { structuredContent } = JSON.parse(result) as { readonly structuredContent?: unknown }
    return findProblems(prepareSchema(schema), structuredContent)
  },
}
createBirpc<object, SchemaCalls>(calls, {
  post: (message) => port.postMessage(message),
  on: (listen) => void port.on('message', listen),
  timeout: -1,
})
