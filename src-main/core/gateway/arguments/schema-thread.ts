// The entry of the thread that checks values against schemas that may take long; the main thread's sides of it are
// argument-checks.ts and, for what tools answer, output-checks.ts.
import { serveThread } from '../../lifecycle/thread-ends'
import { findFaults, findProblems } from './find-faults'
import { prepareSchema } from './prepared-schema'
import type { SchemaCalls } from './schema-calls'

const calls: SchemaCalls = {
  findFaults: (schema, args) => findFaults(prepareSchema(schema), args),
  findProblems: (schema, result) => {
    const { structuredContent } = JSON.parse(result) as { readonly structuredContent?: unknown }
    return findProblems(prepareSchema(schema), structuredContent)
  },
}
serveThread(calls)
