import { runBench } from './measure/bench'
import { logSpeed } from './ui/logs'
import { pageSpeed } from './ui/page'

await runBench('ui', [pageSpeed, logSpeed])
