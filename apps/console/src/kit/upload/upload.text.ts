import { defineTexts } from '../text/define.ts';

export const uploadTexts = defineTexts({
  'upload.choose': {
    en_US: 'Choose a file or drop it here',
    zh_CN: '选择文件或拖放到此处',
    ko: '파일을 선택하거나 여기에 놓으세요',
    pt_BR: 'Escolha um arquivo ou solte-o aqui',
  },
  'upload.chooseSeveral': {
    en_US: 'Choose files or drop them here',
    zh_CN: '选择文件或拖放到此处（可多选）',
    ko: '파일을 하나 이상 선택하거나 여기에 놓으세요',
    pt_BR: 'Escolha arquivos ou solte-os aqui',
  },
  'upload.types': {
    en_US: '{{types}}. Up to {{size}} each.',
    zh_CN: '{{types}}。每个文件最大 {{size}}。',
    ko: '{{types}}. 파일당 최대 {{size}}.',
    pt_BR: '{{types}}. Até {{size}} cada.',
  },
  'upload.typeWrong': {
    en_US: 'Wrong file type. Allowed: {{types}}.',
    zh_CN: '文件类型错误。允许：{{types}}。',
    ko: '파일 형식이 올바르지 않습니다. 허용: {{types}}.',
    pt_BR: 'Tipo de arquivo incorreto. Permitidos: {{types}}.',
  },
  'upload.tooLarge': {
    en_US: 'The file is larger than {{size}}.',
    zh_CN: '文件大小超过 {{size}}。',
    ko: '파일이 {{size}}보다 큽니다.',
    pt_BR: 'O arquivo passa de {{size}}.',
  },
  'upload.tooMany': {
    en_US: { one: 'Only {{number}} file is possible.', other: 'At most {{number}} files are possible.' },
    zh_CN: '最多可选 {{number}} 个文件。',
    ko: '파일은 최대 {{number}}개까지 가능합니다.',
    pt_BR: {
      one: 'Só é possível {{number}} arquivo.',
      many: 'São possíveis no máximo {{number}} arquivos.',
      other: 'São possíveis no máximo {{number}} arquivos.',
    },
  },
  'upload.going': {
    en_US: '{{sent}} of {{size}}',
    zh_CN: '{{sent}}，共 {{size}}',
    ko: '{{size}} 중 {{sent}}',
    pt_BR: '{{sent}} de {{size}}',
  },
  'upload.paused': {
    en_US: 'Paused, {{sent}} of {{size}}',
    zh_CN: '已暂停：{{sent}}，共 {{size}}',
    ko: '일시 정지됨, {{size}} 중 {{sent}}',
    pt_BR: 'Em pausa, {{sent}} de {{size}}',
  },
  'upload.hashing': {
    en_US: 'Computing the checksum, {{sent}} of {{size}}',
    zh_CN: '正在计算校验和：{{sent}}，共 {{size}}',
    ko: '체크섬 계산 중, {{size}} 중 {{sent}}',
    pt_BR: 'Calculando a soma, {{sent}} de {{size}}',
  },
  'upload.checksumWrong': {
    en_US: 'The file has another checksum than the maker’s.',
    zh_CN: '文件的校验和与厂商公布的值不一致。',
    ko: '파일의 체크섬이 제조사의 값과 다릅니다.',
    pt_BR: 'A soma do arquivo difere da do fabricante.',
  },
  'upload.checking': { en_US: 'Checking…', zh_CN: '正在检查…', ko: '확인하는 중…', pt_BR: 'Verificando…' },
  'upload.done': { en_US: 'Uploaded', zh_CN: '已上传', ko: '업로드됨', pt_BR: 'Enviado' },
  'upload.pause': {
    en_US: 'Pause {{name}}',
    zh_CN: '暂停 {{name}}',
    ko: '{{name}} 일시 정지',
    pt_BR: 'Pausar {{name}}',
  },
  'upload.resume': {
    en_US: 'Resume {{name}}',
    zh_CN: '继续 {{name}}',
    ko: '{{name}} 계속',
    pt_BR: 'Retomar {{name}}',
  },
  'upload.remove': {
    en_US: 'Remove {{name}}',
    zh_CN: '移除 {{name}}',
    ko: '{{name}} 제거',
    pt_BR: 'Remover {{name}}',
  },
  'upload.broken': {
    en_US: 'The upload was broken off. Choose the same file again: it goes on where it was.',
    zh_CN: '上传中断。请再次选择同一文件，将从中断处继续。',
    ko: '업로드가 중단되었습니다. 같은 파일을 다시 선택하면 중단된 곳부터 이어집니다.',
    pt_BR: 'O envio foi interrompido. Escolha o mesmo arquivo de novo: ele continua de onde parou.',
  },
  'upload.missing': {
    en_US: 'Choose a file.',
    zh_CN: '请选择文件。',
    ko: '파일을 선택하세요.',
    pt_BR: 'Escolha um arquivo.',
  },
  'upload.wait': {
    en_US: 'Wait until the upload has finished, or remove the file.',
    zh_CN: '请等待上传完成，或移除该文件。',
    ko: '업로드가 끝날 때까지 기다리거나 파일을 제거하세요.',
    pt_BR: 'Aguarde o fim do envio ou remova o arquivo.',
  },
  'upload.refused': {
    en_US: 'Remove the file that was refused.',
    zh_CN: '请移除被拒绝的文件。',
    ko: '거부된 파일을 제거하세요.',
    pt_BR: 'Remova o arquivo recusado.',
  },
});
