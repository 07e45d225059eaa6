// Loaded into a downloading program: prints the progress of large downloads, on one line of a terminal, otherwise a line per tenth.
const LARGE = 1_000_000
const { fetch } = globalThis

globalThis.fetch = async (...args) => {
  const response = await fetch(...args)
  const total = Number(response.headers.get('content-length'))
  if (!response.ok || !response.body || !(total > LARGE)) return response
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counting(total)), { status, statusText, headers })
}

function counting(total) {
  let transferred = 0
  let shown = -1
  const step = process.stdout.isTTY ? 1 : 10
  return new TransformStream({
    transform(chunk, controller) {
      transferred += chunk.length
      const percent = Math.floor(((transferred / total) * 100) / step) * step
      if (percent !== shown) show(percent, total)
      shown = percent
      controller.enqueue(chunk)
    },
  })
}

function show(percent, total) {
  const line = `${percent}% of ${Math.round(total / 1_000_000)} MB`
  if (!process.stdout.isTTY) process.stdout.write(`${line}\n`)
  else process.stdout.write(`\r${line}${percent === 100 ? '\n' : ''}`)
}
