import { resolve } from 'node:path'

const PRODUCER = resolve('bench/producers/server.mjs')

/** What the server of the benches does: it works, answers nothing, or ends immediately. */
export type ServerMode = 'works' | 'hangs' | 'crashes'

/** Program and arguments of the server of the benches, run by this very Node. */
export function benchCommand(
  mode: ServerMode,
  floodMegabytes = 0,
): { readonly command: string; readonly args: string[] } {
  return { command: process.execPath, args: [PRODUCER, mode, String(floodMegabytes)] }
}

/** The same as a server.json, so that the core runs it like any other (a command by name, through the cargo rule). */
export function benchServer(mode: ServerMode, floodMegabytes = 0): object {
  const { args } = benchCommand(mode, floodMegabytes)
  return {
    name: `bench.fixture/${mode}`,
    title: mode,
    description: `The bench's server that ${mode}.`,
    version: '1.0.0',
    packages: [
      {
        registryType: 'cargo',
        identifier: 'node',
        version: '1.0.0',
        transport: { type: 'stdio' },
        packageArguments: args.map((value) => ({ type: 'positional', value })),
        environmentVariables: [{ name: 'BENCH_SECRET', isSecret: true }],
      },
    ],
  }
}

/** The values to install it with: a secret that stands in its log lines and has to be masked. */
export const SECRET_VALUES = { env_BENCH_SECRET: 'sk-bench-4f1d9a7c55e2b8' } as const
