// Reads without responding while the file argv[2] exists; then it is `offers.mjs` with the file argv[3].
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const LOOK_EVERY_MS = 20
const [gate] = process.argv.splice(2, 1)
while (existsSync(gate)) await delay(LOOK_EVERY_MS)
await import('./offers.mjs')
