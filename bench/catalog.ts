import { meantServers } from './catalog/meant'
import { pageSpeed } from './catalog/pages'
import { querySpeed } from './catalog/querying'
import { syncSpeed } from './catalog/syncing'
import { runBench } from './measure/bench'

await runBench('catalog', [syncSpeed, querySpeed, meantServers, pageSpeed])
