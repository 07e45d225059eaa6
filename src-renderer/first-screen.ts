import { firstPart, screenCode } from './screen-code'

// While the app itself is still being read. Where it cannot be had, the screen says so once it is drawn, and tries again.
const first = firstPart(window.location.hash)
if (first) screenCode[first]().catch(() => undefined)
