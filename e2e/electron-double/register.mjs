import { registerHooks } from 'node:module'

const url = new URL('./electron.mjs', import.meta.url).href
const names = new Set(['electron', 'electron/main', 'electron/common'])

registerHooks({
  resolve: (specifier, context, next) =>
    names.has(specifier) ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
})
