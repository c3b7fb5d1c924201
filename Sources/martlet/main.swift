import MartletProgram

MartletMain.run()
