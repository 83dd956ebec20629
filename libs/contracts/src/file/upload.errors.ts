import { defineErrors } from '../define/error.ts';

/** Errors of files that are uploaded in parts (STORE-01, STORE-03, STORE-05). */
export const uploadErrors = defineErrors('upload', {
  headers: {
    status: 400,
    en_US: 'The upload is not in the form of tus 1.0.0: {header} is missing or wrong.',
    zh_CN: '上传不符合 tus 1.0.0 格式：{header} 缺失或有误。',
    ko: '업로드가 tus 1.0.0 형식이 아닙니다. {header} 값이 없거나 잘못되었습니다.',
    pt_BR: 'O envio não segue o tus 1.0.0: {header} está ausente ou incorreto.',
    help: [
      'A header of the protocol is missing, or its value is none that the protocol knows.',
      'Upload with a client of tus 1.0.0, and give it the name of the file as `filename`.',
    ],
  },
  nameWrong: {
    status: 400,
    en_US: 'A file name has at most {limit} characters and no semicolon, slash or control character.',
    zh_CN: '文件名最多 {limit} 个字符，且不能包含分号、斜杠或控制字符。',
    ko: '파일 이름은 최대 {limit}자이며 세미콜론, 슬래시, 제어 문자를 쓸 수 없습니다.',
    pt_BR: 'O nome do arquivo tem no máximo {limit} caracteres, sem ponto e vírgula, barra ou caractere de controle.',
    help: [
      'The name of the file is too long, or has a character that separates names or folders.',
      'Rename the file, and upload it again.',
    ],
  },
  empty: {
    status: 400,
    en_US: 'The file is empty.',
    zh_CN: '文件为空。',
    ko: '파일이 비어 있습니다.',
    pt_BR: 'O arquivo está vazio.',
    help: ['The file has no bytes.', 'Choose another file.'],
  },
  tooMany: {
    status: 409,
    en_US: 'You have {limit} unfinished uploads. Finish or remove some first.',
    zh_CN: '您有 {limit} 个未完成的上传，请先完成或移除部分上传。',
    ko: '끝나지 않은 업로드가 {limit}개 있습니다. 먼저 일부를 끝내거나 제거하세요.',
    pt_BR: 'Você tem {limit} envios inacabados. Conclua ou remova alguns antes.',
    help: [
      'Uploads of this user were begun and not saved. They go by themselves after a day.',
      'Remove some of them, or wait.',
    ],
  },
  offset: {
    status: 409,
    en_US: 'The upload goes on at another place. Ask how much has come, and go on from there.',
    zh_CN: '上传应从其他位置继续。请查询已接收的大小后再继续。',
    ko: '업로드를 이어갈 위치가 다릅니다. 받은 크기를 확인한 뒤 이어서 올리세요.',
    pt_BR: 'O envio continua em outro ponto. Consulte quanto já chegou e continue dali.',
    help: [
      '`Upload-Offset` is not how much has come: a part was sent twice, or was lost.',
      'Ask by HEAD for `Upload-Offset`, and send what follows.',
    ],
  },
  busy: {
    status: 409,
    en_US: 'Another part of this upload is still arriving. Try again in a moment.',
    zh_CN: '该上传的另一部分仍在接收中，请稍后重试。',
    ko: '이 업로드의 다른 부분을 아직 받고 있습니다. 잠시 후 다시 시도하세요.',
    pt_BR: 'Outra parte deste envio ainda está chegando. Tente de novo em instantes.',
    help: [
      'Two parts of one upload came at once, or an earlier connection has not ended yet.',
      'Send parts one after the other; clients of tus try again by themselves.',
    ],
  },
  incomplete: {
    status: 409,
    en_US: 'A file is not uploaded completely, or was removed. Upload it again.',
    zh_CN: '文件尚未上传完成或已被移除，请重新上传。',
    ko: '파일 업로드가 끝나지 않았거나 파일이 제거되었습니다. 다시 업로드하세요.',
    pt_BR: 'Um arquivo não foi enviado por completo ou foi removido. Envie-o novamente.',
    help: [
      'The record names an upload that has not ended, was given up, or is older than a day.',
      'Upload the file to its end, then save.',
    ],
  },
  contentWrong: {
    status: 415,
    en_US: 'The content of {name} is not that of a {extension} file. The file was not kept.',
    zh_CN: '{name} 的内容与 {extension} 文件不符，文件未保留。',
    ko: '{name}의 내용이 {extension} 파일이 아닙니다. 파일은 저장되지 않았습니다.',
    pt_BR: 'O conteúdo de {name} não é de um arquivo {extension}. O arquivo não foi guardado.',
    help: [
      'The first bytes, or the inner form of the file, do not fit the ending of its name.',
      'Choose the right file, or give it the ending that fits it.',
    ],
  },
  bomb: {
    status: 413,
    en_US: '{name} unpacks to far more than it holds, and could fill a device. The file was not kept.',
    zh_CN: '{name} 解压后远大于文件本身，可能占满设备，文件未保留。',
    ko: '{name}은(는) 압축을 풀면 크기가 지나치게 커져 장치를 가득 채울 수 있습니다. 파일은 저장되지 않았습니다.',
    pt_BR: '{name} descompactado fica grande demais e poderia lotar um dispositivo. O arquivo não foi guardado.',
    help: [
      'The archive declares too many files or bytes for its size, parts that overlap, or a text that multiplies itself.',
      'Pack the files again with a common program.',
    ],
  },
  quotaFull: {
    status: 413,
    en_US: 'There is not enough storage: {used} of {quota} is used. Delete files you don’t need.',
    zh_CN: '存储空间不足：已使用 {used}，共 {quota}。请删除不需要的文件。',
    ko: '저장 공간이 부족합니다. {quota} 중 {used}을(를) 사용하고 있습니다. 필요 없는 파일을 삭제하세요.',
    pt_BR: 'Não há armazenamento suficiente: {used} de {quota} em uso. Exclua arquivos desnecessários.',
    help: [
      'The files of the company, with those that are being uploaded, would take more than its storage.',
      'Delete files that nobody needs; their room is free within the hour. Or ask the operator for more (CARILLON_STORAGE_MEGABYTES).',
    ],
  },
  noSpace: {
    status: 503,
    en_US: 'There is no room for the file on the server. Tell its operator.',
    zh_CN: '服务器空间不足，无法保存该文件。请联系运维人员。',
    ko: '서버에 파일을 저장할 공간이 없습니다. 운영자에게 알려 주세요.',
    pt_BR: 'Não há espaço no servidor para o arquivo. Avise quem o opera.',
    help: [
      'The disk that files are kept on is full, or nearly so.',
      'Free room, or move the folder of the files to a larger disk (docs/runbooks.md).',
    ],
  },
});
