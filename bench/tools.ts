import { runBench } from './measure/bench'
import { directorySpeed } from './tools/directory'
import { pageSpeed } from './tools/page'

await runBench('tools', [directorySpeed, pageSpeed])
