export { typeWords } from './words.ts'
