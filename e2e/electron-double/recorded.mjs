import { strict } from './strict.mjs'

/** Functions that reach out of the app: never executed, but told to the test, and answered with `answers`. */
function recorded(name, answers) {
  const record =
    (method, answer) =>
    (...args) => {
      process.send?.({
        ed: 'call',
        api: `${name}.${method}`,
        args: JSON.parse(JSON.stringify(args)),
      })
      return answer
    }
  const functions = Object.entries(answers).map(([method, answer]) => [
    method,
    record(method, answer),
  ])
  return strict(name, Object.fromEntries(functions))
}

export const shell = recorded('shell', {
  openExternal: Promise.resolve(),
  openPath: Promise.resolve(''),
  showItemInFolder: undefined,
})

export const clipboard = recorded('clipboard', { writeText: Promise.resolve() })

export const dialog = recorded('dialog', {
  showOpenDialog: Promise.resolve({ canceled: true, filePaths: [] }),
  showSaveDialog: Promise.resolve({ canceled: true, filePath: '' }),
  showMessageBox: Promise.resolve({ response: 0, checkboxChecked: false }),
  showErrorBox: undefined,
})
