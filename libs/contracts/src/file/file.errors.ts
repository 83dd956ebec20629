import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Data": errors of uploads and imports. */
export const fileErrors = defineErrors('file', {
  taken: {
    status: 409,
    en_US: 'A file with this name already exists.',
    zh_CN: '文件重复。',
    ko: '같은 이름의 파일이 있습니다.',
    pt_BR: 'Já existe um arquivo com este nome.',
  },
  tooLarge: {
    status: 413,
    en_US: 'The file is larger than {limit}.',
    zh_CN: '文件大小超过 {limit}。',
    ko: '파일이 {limit}보다 큽니다.',
    pt_BR: 'O arquivo passa de {limit}.',
  },
  typeWrong: {
    status: 415,
    en_US: 'Wrong file type. Allowed: {types}.',
    zh_CN: '文件类型错误。允许：{types}。',
    ko: '파일 형식이 올바르지 않습니다. 허용: {types}.',
    pt_BR: 'Tipo de arquivo incorreto. Permitidos: {types}.',
  },
  importFormat: {
    status: 400,
    en_US: 'The imported data is in the wrong format.',
    zh_CN: '导入数据格式错误。',
    ko: '가져온 데이터의 형식이 올바르지 않습니다.',
    pt_BR: 'Os dados importados estão em formato incorreto.',
  },
  linkUnknown: {
    status: 404,
    en_US: 'There is no file at this link.',
    zh_CN: '此链接没有对应的文件。',
    ko: '이 링크에 해당하는 파일이 없습니다.',
    pt_BR: 'Não há arquivo neste link.',
    help: [
      'The link of a download was altered, cut off or never made here.',
      'Have the device ask for the address exactly as it was told.',
    ],
  },
  damaged: {
    status: 410,
    en_US: 'The stored file is not the one that was uploaded.',
    zh_CN: '存储的文件与上传的文件不一致。',
    ko: '저장된 파일이 업로드된 파일과 다릅니다.',
    pt_BR: 'O arquivo armazenado não é o que foi enviado.',
    help: [
      'The bytes in the store were changed after the upload, for example by a defective disk.',
      'Restore the file from a backup, or delete it and upload it again.',
    ],
  },
  linkOver: {
    status: 410,
    en_US: 'This link is no longer valid.',
    zh_CN: '此链接已失效。',
    ko: '이 링크는 더 이상 유효하지 않습니다.',
    pt_BR: 'Este link não é mais válido.',
    help: [
      'The download did not begin in time or took too long, its task was stopped or has ended, or the device was deleted or belongs to another company now.',
      'Run the task again: the device is told a new link.',
    ],
  },
});
