import { resolve } from 'node:path'

const PRODUCER = resolve('bench/producers/server.mjs')

/** Behavior of the benches' server: works, answers nothing, or exits immediately. */
export type ServerMode = 'works' | 'hangs' | 'crashes'

/** Command of the benches' server, run by this Node. */
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

/** Values to install it with: a secret in its log lines that has to be masked. */
export const SECRET_VALUES = { env_BENCH_SECRET: 'sk-bench-4f1d9a7c55e2b8' } as const
