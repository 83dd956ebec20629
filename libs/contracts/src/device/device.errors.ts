import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Devices and tasks". */
export const deviceErrors = defineErrors('device', {
  macFormat: {
    status: 400,
    en_US: 'MAC address format error. 12 hex digits are needed, for example 0C:38:3E:55:7E:B1.',
    zh_CN: 'MAC 地址格式错误。需要 12 位十六进制数字，例如 0C:38:3E:55:7E:B1。',
    ko: 'MAC 주소 형식 오류입니다. 16진수 12자리가 필요합니다. 예: 0C:38:3E:55:7E:B1',
    pt_BR: 'Erro no formato do MAC. São necessários 12 dígitos hexadecimais, por exemplo 0C:38:3E:55:7E:B1.',
  },
  macNotOwn: {
    status: 400,
    en_US: 'This MAC can’t belong to a device. It is all zeros, or a broadcast or multicast address.',
    zh_CN: '该 MAC 不可能属于设备。它全为零，或是广播或组播地址。',
    ko: '이 MAC은 장치의 것이 아닙니다. 모두 0이거나 브로드캐스트 또는 멀티캐스트 주소입니다.',
    pt_BR: 'Este MAC não pode pertencer a um dispositivo. É só de zeros, ou um endereço de broadcast ou multicast.',
  },
  macNotFound: {
    status: 404,
    en_US: 'MAC not found.',
    zh_CN: '未找到该 MAC。',
    ko: 'MAC을 찾을 수 없습니다.',
    pt_BR: 'MAC não encontrado.',
  },
  macTaken: {
    status: 409,
    en_US: 'A device with this MAC can’t be added. It may already exist.',
    zh_CN: '无法添加此 MAC 的设备，它可能已存在。',
    ko: '이 MAC의 장치를 추가할 수 없습니다. 이미 있을 수 있습니다.',
    pt_BR: 'Não é possível adicionar um dispositivo com este MAC. Ele já pode existir.',
  },
  tagKey: {
    status: 400,
    en_US:
      'A tag’s key has up to 32 letters, digits, spaces, dots, hyphens and underscores. It begins with a letter or digit.',
    zh_CN: '标签键最多 32 个字符，可用字母、数字、空格、点、连字符和下划线，并以字母或数字开头。',
    ko: '태그 키는 문자, 숫자, 공백, 점, 하이픈, 밑줄로 최대 32자이며 문자나 숫자로 시작합니다.',
    pt_BR:
      'A chave de uma etiqueta tem até 32 letras, dígitos, espaços, pontos, hifens e sublinhados, e começa com letra ou dígito.',
    help: ['A tag’s key has another character or is too long.', 'Choose a short key, for example “floor”.'],
  },
  tagValue: {
    status: 400,
    en_US: 'A tag’s value can’t have control characters.',
    zh_CN: '标签值不能包含控制字符。',
    ko: '태그 값에는 제어 문자를 쓸 수 없습니다.',
    pt_BR: 'O valor de uma etiqueta não pode ter caracteres de controle.',
    help: ['A line break or an invisible character is in the value.', 'Type the value again.'],
  },
  tooManyTags: {
    status: 409,
    en_US: 'A device has at most {most} tags, and {count} of these {count|device|devices} would have more.',
    zh_CN: '每台设备最多有 {most} 个标签，其中 {count} 台设备会超出。',
    ko: '장치에는 태그가 최대 {most}개이며, 그중 장치 {count}대가 이를 넘게 됩니다.',
    pt_BR:
      'Um dispositivo tem no máximo {most} etiquetas, e {count} {count|destes dispositivos teria|destes dispositivos teriam} mais.',
    help: ['Too many tags were put on one device.', 'Remove tags from it that are not used.'],
  },
  linesFull: {
    status: 409,
    en_US: 'Every line of the device has an account. Choose a line to replace its account.',
    zh_CN: '该设备的所有线路均已有账号。请选择要替换账号的线路。',
    ko: '장치의 모든 회선에 계정이 있습니다. 계정을 바꿀 회선을 선택하세요.',
    pt_BR: 'Todas as linhas do dispositivo já têm conta. Escolha a linha cuja conta será substituída.',
  },
  pushTargetMissing: {
    status: 404,
    en_US: 'The device to push to does not exist.',
    zh_CN: '要推送的设备不存在。',
    ko: '푸시할 장치가 없습니다.',
    pt_BR: 'O dispositivo de destino não existe.',
  },
  secretFormat: {
    status: 400,
    en_US: 'Use 32 to 128 random letters, digits, hyphens and underscores, or leave it empty.',
    zh_CN: '请使用 32 至 128 个随机字母、数字、连字符和下划线，或留空。',
    ko: '임의의 문자, 숫자, 하이픈, 밑줄 32~128자를 사용하거나 비워 두세요.',
    pt_BR: 'Use de 32 a 128 letras, dígitos, hifens e sublinhados aleatórios, ou deixe vazio.',
    help: [
      'A secret that is imported is too short, too long or has other characters.',
      'Make a random one for each device, for example with a password manager.',
    ],
  },
  secretStays: {
    status: 409,
    en_US: 'The device has another secret. Renew it on the device’s page, or leave the cell empty.',
    zh_CN: '该设备已有其他密钥。请在设备页面更新，或将单元格留空。',
    ko: '장치에 다른 비밀 키가 있습니다. 장치 페이지에서 갱신하거나 셀을 비워 두세요.',
    pt_BR: 'O dispositivo tem outro segredo. Renove-o na página do dispositivo ou deixe a célula vazia.',
    help: [
      'An import gives a secret to devices that it adds, and leaves that of the others.',
      'Renew the secret on the page of the device.',
    ],
  },
  hasRunningTask: {
    status: 409,
    en_US: 'The device has a running task.',
    zh_CN: '设备有正在执行的任务。',
    ko: '장치에 실행 중인 작업이 있습니다.',
    pt_BR: 'O dispositivo tem uma tarefa em execução.',
  },
  restoreOver: {
    status: 409,
    en_US: 'The deletion can no longer be undone.',
    zh_CN: '此删除已无法撤销。',
    ko: '더 이상 삭제를 취소할 수 없습니다.',
    pt_BR: 'A exclusão não pode mais ser desfeita.',
  },
  exportsBusy: {
    status: 409,
    en_US: '{count} of your files are still being written. Wait for one to finish, or cancel one.',
    zh_CN: '您已有 {count} 个文件正在生成。请等待其中一个完成，或取消一个。',
    ko: '파일 {count}개를 작성 중입니다. 하나가 끝날 때까지 기다리거나 하나를 취소하세요.',
    pt_BR: '{count} arquivos seus estão sendo gravados. Espere um terminar ou cancele um.',
  },
  offline: {
    status: 409,
    en_US: 'The device is offline.',
    zh_CN: '设备离线。',
    ko: '장치가 오프라인입니다.',
    pt_BR: 'O dispositivo está offline.',
  },
});
