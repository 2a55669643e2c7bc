export { copyWords, typeWords } from './words.ts'
