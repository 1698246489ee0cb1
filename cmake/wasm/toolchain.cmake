# WebAssembly by Debian's clang-16, its libc++ and wasi-libc: one thread, no exceptions, no files.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(NEARMISS_WASM ON)
set(triple wasm32-wasi)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET ${triple})
endforeach()
set(CMAKE_C_COMPILER clang-16)
set(CMAKE_CXX_COMPILER clang++-16)
# Only for the trial of the compiler: libraries are objects here, because ar of the host makes no index
set(CMAKE_AR ar CACHE FILEPATH "")
set(CMAKE_RANLIB true CACHE FILEPATH "")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

option(NEARMISS_WASM_SIMD "Use the 128-bit vectors of WebAssembly" ON)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES NEARMISS_WASM_SIMD)

# Name the headers, or those of the host's C library would be found
set(llvm /usr/lib/llvm-16)
set(headers "-nostdinc -isystem ${llvm}/include/${triple}/c++/v1 -isystem ${llvm}/lib/clang/16/include -isystem /usr/include/${triple}")
set(code "-fvisibility=hidden -ffunction-sections -fdata-sections -fno-exceptions -fno-c++-static-destructors")
# Every browser with vectors has these as well
string(APPEND code " -mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals")
if(NEARMISS_WASM_SIMD)
  string(APPEND code " -msimd128")
endif()
set(CMAKE_C_FLAGS_INIT "-nostdinc -isystem ${llvm}/lib/clang/16/include -isystem /usr/include/${triple} -fvisibility=hidden")
set(CMAKE_CXX_FLAGS_INIT "${headers} ${code} -include ${CMAKE_CURRENT_LIST_DIR}/small_library.h")
# Each target chooses what to optimise for
set(CMAKE_CXX_FLAGS_RELEASE "-DNDEBUG" CACHE STRING "")

# Linking: a reactor, which is a module without main(). -O at the link would run an old binaryen
set(CMAKE_EXE_LINKER_FLAGS_INIT "-mexec-model=reactor -nodefaultlibs -nostartfiles")
set(CMAKE_CXX_STANDARD_LIBRARIES "/usr/lib/${triple}/crt1-reactor.o -L/usr/lib/${triple} -lc++ -lc++abi -lc ${llvm}/lib/clang/16/lib/wasi/libclang_rt.builtins-wasm32.a")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)

set(glm_DIR ${CMAKE_CURRENT_LIST_DIR}/glm)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
