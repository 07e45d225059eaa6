import { screenCode } from './screen-code'

// While the app itself is still being read. Where it cannot be had, the screen says so once it is drawn, and tries again.
const [, first = ''] = window.location.hash.split(/[/?]/)
const code: Readonly<Record<string, () => Promise<unknown>>> = screenCode
if (Object.hasOwn(code, first)) code[first]?.().catch(() => undefined)
